// Replays the leads of the last days against another marketplace file and compares the results with history; changes nothing.
import { DAY_MS } from '../base/time.ts';
import { findDifference } from '../marketplace-file/difference.rules.ts';
import type { FileFault, MarketplaceFile } from '../marketplace-file/marketplace-file.ts';
import { readConfiguration } from '../marketplace-file/read-configuration.ts';
import { readListKinds } from '../lists/look-up.ts';
import { readPersonPepper } from '../marketplace/stored-settings.ts';
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
  /** Receives the number of decisions repeated so far. */
  readonly onProgress?: (done: number, all: number) => void;
};

export type Simulation = Comparison & {
  readonly days: number;
  readonly from: Date;
  readonly to: Date;
  /** Leads whose fields are erased: they were repeated unchanged, and are counted nowhere else. */
  readonly erased: number;
  /** Configuration changes that affect decisions, since the oldest replayed decision: with any, history followed other rules. */
  readonly configurationChanges: number;
};

/**
 * `tx` is a snapshot. The configuration is the result of applying the file without pruning; the current file reproduces the past. Limits:
 * - Transactions of two workers overlapped, and one of them released or paid what the other lacked: their order is known only to the
 *   millisecond.
 * - Unsold leads were decided at the same time as others: the past determines whether they were held or rejected, and for which reason.
 * - Lists are as they are now (contract 15.3): a lead whose contact came onto one since it was sold is not sold again.
 * - Pauses are simulated as in the file, not as they were.
 */
export async function simulateFile(
  tx: Tx,
  file: MarketplaceFile,
  { days, onProgress }: SimulationOptions,
  now: Date,
): Promise<{ ok: true; simulation: Simulation } | { ok: false; errors: readonly FileFault[] }> {
  const current = await readConfiguration(tx);
  const { faults, writes } = findDifference(current, file, { prune: false });
  if (faults.length > 0) return { ok: false, errors: faults };
  const from = new Date(now.getTime() - days * DAY_MS);
  const configuration = configurationAfter(current, writes);
  const reading: Reading = {
    from,
    now,
    personPepper: await readPersonPepper(tx),
    offers: current.offers,
    listKinds: await readListKinds(tx),
  };

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
