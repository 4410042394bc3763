// Keeps one delivery of a buyer for this transaction alone until it ends, for what has to be looked at and changed as one.
import type { DeliveryId } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import { lockDeliverySql } from './return.sql.ts';
import type { LockedDelivery } from './delivery-row.ts';

/** Null for a delivery of somebody else as for one that there is not. */
export async function lockDelivery(tx: Tx, buyerKey: string, deliveryId: DeliveryId): Promise<LockedDelivery | null> {
  const [row] = await tx.query(lockDeliverySql, { buyerKey, deliveryId });
  return row ?? null;
}
