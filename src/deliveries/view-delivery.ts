// Reads one delivery of a buyer and views it as the list does (contract 6.1).
import type { DeliveryId } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import type { DeliveryRow } from './delivery-row.ts';
import type { DeliveryView } from './delivery.schema.ts';
import { type ClaimBuyer, type ClaimStatusesOf, viewDeliveries } from './delivery-claim-status.ts';
import { readFound } from './search/search.sql.ts';

export type ViewedDelivery = { readonly row: DeliveryRow; readonly delivery: DeliveryView };

/** Null when the buyer has no such delivery. Of one instant if `tx` is a snapshot. */
export async function viewDelivery(
  tx: Tx,
  buyer: ClaimBuyer,
  { deliveryId, claimStatusesOf }: { readonly deliveryId: DeliveryId; readonly claimStatusesOf: ClaimStatusesOf },
  now: Date,
): Promise<ViewedDelivery | null> {
  const rows = await tx.query(readFound, { buyerKey: buyer.buyerKey, ids: [deliveryId] });
  const [delivery] = await viewDeliveries(tx, buyer, { rows, claimStatusesOf }, now);
  const [row] = rows;
  return row === undefined || delivery === undefined ? null : { row, delivery };
}
