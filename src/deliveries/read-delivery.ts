// One delivery of a buyer as it stands, for whoever only looks at it.
import type { DeliveryId } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import { readDeliverySql } from './return.sql.ts';
import type { LockedDelivery } from './delivery-row.ts';

/** What locking it would answer. Null for a delivery of somebody else as for one that there is not. */
export async function readDelivery(tx: Tx, buyerKey: string, deliveryId: DeliveryId): Promise<LockedDelivery | null> {
  const [row] = await tx.query(readDeliverySql, { buyerKey, deliveryId });
  return row ?? null;
}
