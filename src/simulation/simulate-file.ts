// Replays the last days of leads against another marketplace file and says what would have become of them; changes nothing.
import { DAY_MS } from '../base/time.ts';
import { differenceOf } from '../marketplace-file/difference.rules.ts';
import type { FileFault, MarketplaceFile } from '../marketplace-file/marketplace-file.ts';
import { readConfiguration } from '../marketplace-file/read-configuration.ts';
import { readPersonPepper } from '../marketplace/read-settings.ts';
import type { Tx } from '../platform/database/database.ts';
import type { Comparison } from './comparison.rules.ts';
import { type Reading, readPast } from './read-past.ts';
import { readLateFailures, readMarketStart, readOutages, readPastSales, readPostings } from './read-start.ts';
import { createReplay } from './replay.rules.ts';
import { createReplayMarket } from './replay-market.rules.ts';
import { configurationAfter } from './simulated-configuration.rules.ts';
import { countChanges, measureHistory } from './simulation.sql.ts';

export type SimulationOptions = {
  /** 1 to 90. */
  readonly days: number;
  /** Told how many of the decisions have been repeated. */
  readonly onProgress?: (done: number, all: number) => void;
};

export type Simulation = Comparison & {
  readonly days: number;
  readonly from: Date;
  readonly to: Date;
  /** Leads whose fields are erased: they were repeated as they had been, and are counted nowhere else. */
  readonly erased: number;
  /** Changes of what decides, made since the oldest of the decisions: with any, history itself was made by other rules. */
  readonly configurationChanges: number;
};

/**
 * `tx` is a snapshot. The configuration is the one that applying the file would leave, without pruning; with the one in force the
 * past comes out as it was. It cannot where transactions of two workers overlapped and one of them gave back or paid what the other
 * found missing: their order is known to the millisecond only. Where leads that nobody took were decided on while others were, it is taken from the past
 * whether they waited or were rejected, and which reason of the moment was found first. Pauses are simulated as the file has them, not as they were.
 */
export async function simulateFile(
  tx: Tx,
  file: MarketplaceFile,
  { days, onProgress }: SimulationOptions,
  now: Date,
): Promise<{ ok: true; simulation: Simulation } | { ok: false; errors: readonly FileFault[] }> {
  const current = await readConfiguration(tx);
  const { faults, writes } = differenceOf(current, file, { prune: false });
  if (faults.length > 0) return { ok: false, errors: faults };
  const from = new Date(now.getTime() - days * DAY_MS);
  const configuration = configurationAfter(current, writes);
  const reading: Reading = { from, personPepper: await readPersonPepper(tx), offers: current.offers };

  const postings = await readPostings(tx, from);
  const market = createReplayMarket(configuration, await readMarketStart(tx, { configuration, postings, from }));
  await readPastSales(tx, { market, dedupDays: configuration.settings.dedupDays, reading });
  const lateFailures = await readLateFailures(tx, { market, reading });
  const window = { from: from.getTime(), to: now.getTime() };
  const holdMs = configuration.settings.holdMinutes * 60_000;
  const outages = await readOutages(tx, { from, holdMs });
  const replay = createReplay({ market, ...window, postings, outages, lateFailures });

  const [size] = await tx.query(measureHistory, { from });
  let done = 0;
  for await (const { steps, decisions } of readPast(tx, reading)) {
    for (const { decision, lead } of steps) replay.repeat(decision, lead);
    done += decisions;
    onProgress?.(done, size?.decisions ?? done);
  }
  const { comparison, erased } = replay.finish();
  const changed = await tx.query(countChanges, { firstVersion: size?.firstVersion ?? Number.MAX_SAFE_INTEGER });
  const { leads, ...compared } = comparison;
  const configurationChanges = changed[0]?.changes ?? 0;
  return { ok: true, simulation: { days, from, to: now, leads, erased, configurationChanges, ...compared } };
}
