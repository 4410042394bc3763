// Pending → Confirmed, and the buyer charged, in one transaction: repeating it changes nothing (contract 4.14).
import type { Uuid, DeliveryId } from '../base/ids.ts';
import { uuidArray } from '../platform/database/binary-array.ts';
import type { Tx } from '../platform/database/database.ts';
import { chargeDeliveries } from './sending/charge-deliveries.ts';
import { settleDeliveries } from './delivery.sql.ts';

/** Answers those of them that were still pending. */
export async function confirmDeliveries(
  tx: Tx,
  deliveryIds: readonly DeliveryId[],
  now: Date,
): Promise<readonly Uuid[]> {
  if (deliveryIds.length === 0) return [];
  const confirmed = await tx.query(settleDeliveries, {
    deliveryIds: uuidArray(deliveryIds),
    status: 'Confirmed',
    now,
    maybeArrivedIds: uuidArray([]),
  });
  await chargeDeliveries(tx, confirmed, now);
  return confirmed.map((delivery) => delivery.deliveryId);
}
