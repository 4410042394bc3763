// Reads one delivery of a buyer and views it as the list does (contract 6.1).
import type { DeliveryId } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import type { DeliveryRow } from './delivery-row.ts';
import type { DeliveryView } from './delivery.schema.ts';
import { type StandingBuyer, type StandingsOf, viewDeliveries } from './delivery-standing.ts';
import { readFound } from './search/search.sql.ts';

export type ViewedDelivery = { readonly row: DeliveryRow; readonly delivery: DeliveryView };

/** Null when the buyer has no such delivery. Of one instant if `tx` is a snapshot. */
export async function viewDelivery(
  tx: Tx,
  buyer: StandingBuyer,
  { deliveryId, standingsOf }: { readonly deliveryId: DeliveryId; readonly standingsOf: StandingsOf },
  now: Date,
): Promise<ViewedDelivery | null> {
  const rows = await tx.query(readFound, { buyerKey: buyer.buyerKey, ids: [deliveryId] });
  const [delivery] = await viewDeliveries(tx, buyer, { rows, standingsOf }, now);
  const [row] = rows;
  return row === undefined || delivery === undefined ? null : { row, delivery };
}
