// Which places in counters old deliveries may still give back, because they are pending (contract 4.5).
import { firstIdOf } from '../base/id-time.ts';
import type { Tx } from '../platform/database/database.ts';
import { oldPendingSlotsSql } from './erasure/erasure.sql.ts';
import type { CounterKey } from '../caps/counter.ts';

/** Of deliveries made before then. */
export async function oldPendingSlots(tx: Tx, before: Date): Promise<CounterKey[]> {
  const rows = await tx.query(oldPendingSlotsSql, { before, deliveryId: firstIdOf(before) });
  return rows.flatMap(({ offerKey, capWindows }) =>
    capWindows.map(({ window, startsAt }) => ({ offerKey, window, startsAt: new Date(startsAt) })),
  );
}
