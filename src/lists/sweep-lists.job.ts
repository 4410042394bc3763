// Deletes what no longer counts: entries that have expired, and those of loads that were cut off, replaced or removed (contract 15.4).
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import { repeatTransient } from '../platform/database/retry-transaction.ts';
import {
  deleteLoads,
  deleteRemovedLists,
  discardAbandoned,
  lockLivingLoads,
  measureEntries,
  purgeEntries,
  selectDiscarded,
} from './list-entry.sql.ts';

/** Longer than a sender waits between two parts. */
const ABANDONED_MS = 3_600_000;
/** Some 60,000 entries: about a tenth of a second. */
const BLOCKS_PER_SLICE = 500;

/** Whether expired entries are deleted as well, for which the whole table is read. */
export type Sweep = { readonly database: Database; readonly clock: Clock; readonly withExpired: boolean };

/** A transaction for each slice. Reads the table only if there is something to delete, or if expired entries are asked for. */
export async function sweepLists({ database, clock, withExpired }: Sweep): Promise<void> {
  const now = clock.now();
  const touchedBefore = new Date(now.getTime() - ABANDONED_MS);
  await database.tx((tx) => tx.query(discardAbandoned, { touchedBefore, now }));
  const loadIds = (await database.query(selectDiscarded)).map(({ loadId }) => loadId);
  if (loadIds.length === 0 && !withExpired) return;
  // Nothing is written to a discarded load any more, so entries behind this block are not theirs.
  const [size] = await database.query(measureEntries);
  const expiredBefore = withExpired ? now : new Date(0);
  for (let from = 0; from < (size?.blocks ?? 0); from += BLOCKS_PER_SLICE) {
    const range = { fromPage: `(${from},0)`, beforePage: `(${from + BLOCKS_PER_SLICE},0)` };
    const purge = async (tx: Tx): Promise<void> => {
      if (withExpired) await tx.query(lockLivingLoads);
      await tx.query(purgeEntries, { ...range, loadIds, expiredBefore });
    };
    await repeatTransient(() => database.tx(purge));
  }
  await database.tx(async (tx) => {
    await tx.query(deleteLoads, { loadIds });
    await tx.query(deleteRemovedLists);
  });
}
