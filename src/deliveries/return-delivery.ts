// Confirmed → Returned, on the approval of a return or dispute and on nothing else (contract 4.9).
import type { DeliveryId } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import { returnDeliverySql } from './return.sql.ts';

/** False, and nothing changed, where it is not Confirmed. The slot stays taken, and the person still counts as sold. */
export async function returnDelivery(tx: Tx, buyerKey: string, deliveryId: DeliveryId, now: Date): Promise<boolean> {
  const rows = await tx.query(returnDeliverySql, { buyerKey, deliveryId, now });
  return rows.length > 0;
}
