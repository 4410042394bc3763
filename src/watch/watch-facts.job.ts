// Looks for the facts that arise in no transaction, such as silence, and raises notices about them (contract 12.3).
import { type LeftOut, reportLeftOut } from '../notices/left-out.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import { readLastRun, RUN_WITHIN_MS } from '../platform/queue/scheduled-jobs.ts';
import type { Look } from './look.ts';
import { watchCaps, watchFunds, watchRejections } from './watch-partners.ts';
import { watchClaims, watchCredentials, watchDeadLetters, watchProcesses } from './watch-deadlines.ts';
import { watchSilence, watchSupplierRates } from './watch-suppliers.ts';

type Watch = (tx: Tx, now: Date, look: Look) => Promise<void>;

const WATCHES: readonly Watch[] = [
  watchProcesses,
  watchDeadLetters,
  watchClaims,
  watchSilence,
  watchSupplierRates,
  watchRejections,
  watchFunds,
  watchCaps,
  watchCredentials,
];

/** The name of the scheduled job. */
export const WATCH_FACTS = 'watch-facts';

/** Each in a transaction of its own: one that fails keeps none of the others from being looked at. */
export async function watchFacts(database: Database, clock: Clock): Promise<void> {
  const faults: unknown[] = [];
  const leftOut: LeftOut[] = [];
  const lastRun = await readLastRun(database, WATCH_FACTS);
  const look: Look = {
    // When the run ended is known, and it looked at a fact some time before.
    lookedAt: lastRun === null ? null : new Date(lastRun.getTime() - RUN_WITHIN_MS),
    leaveOut: (one) => void leftOut.push(one),
  };
  for (const watch of WATCHES) {
    try {
      await database.tx((tx) => watch(tx, clock.now(), look));
    } catch (error) {
      faults.push(error);
    }
  }
  if (faults.length > 0) throw new AggregateError(faults, 'some facts could not be looked for');
  await reportLeftOut(database, clock, leftOut);
}
