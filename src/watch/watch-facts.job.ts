// Looks for the facts that arise in no transaction, such as silence, and raises notices about them (contract 12.3).
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import { watchCaps, watchFunds, watchRejections } from './watch-partners.ts';
import { watchClaims, watchCredentials, watchDeadLetters, watchProcesses } from './watch-deadlines.ts';
import { watchSilence, watchSupplierRates } from './watch-suppliers.ts';

const WATCHES: ReadonlyArray<(tx: Tx, now: Date) => Promise<void>> = [
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

/** Each in a transaction of its own: one that fails keeps none of the others from being looked at. */
export async function watchFacts(database: Database, clock: Clock): Promise<void> {
  const faults: unknown[] = [];
  for (const watch of WATCHES) {
    try {
      await database.tx((tx) => watch(tx, clock.now()));
    } catch (error) {
      faults.push(error);
    }
  }
  if (faults.length > 0) throw new AggregateError(faults, 'some facts could not be looked for');
}
