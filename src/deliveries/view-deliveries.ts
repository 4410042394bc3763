// Shows a partner its deliveries with the status of their claims. The claims slice lends the query, so that deliveries need not know
// claims (contract 6.1).
import type { DeliveryId } from '../base/ids.ts';
import type { Buyer } from '../buyers/buyer.ts';
import type { Tx } from '../platform/database/database.ts';
import type { DeliveryRow } from './delivery.ts';
import type { DeliveryView } from './delivery.schema.ts';
import { deliveryView, type DeliveryViewing } from './delivery-view.rules.ts';
import { readFound } from './search/search.sql.ts';

export type DeliveryClaimStatus = Pick<DeliveryViewing, 'claim' | 'returnDenied' | 'capReached'>;

export type ClaimBuyer = Pick<Buyer, 'buyerKey' | 'returnPolicy' | 'timeZone'>;

/** Reads with a fixed number of statements for any number of rows. A delivery without claims may be missing from the result. */
export type ClaimStatusesOf = (
  tx: Tx,
  buyer: ClaimBuyer,
  rows: readonly DeliveryRow[],
  now: Date,
) => Promise<ReadonlyMap<DeliveryId, DeliveryClaimStatus>>;

export type Viewing = { readonly rows: readonly DeliveryRow[]; readonly claimStatusesOf: ClaimStatusesOf };

/** The buyer's current view of its deliveries, in the order of the rows. */
export async function viewDeliveries(
  tx: Tx,
  buyer: ClaimBuyer,
  { rows, claimStatusesOf }: Viewing,
  now: Date,
): Promise<DeliveryView[]> {
  const claimStatuses = await claimStatusesOf(tx, buyer, rows, now);
  const { returnPolicy: policy, timeZone } = buyer;
  return rows.map((row) =>
    deliveryView(row, { policy, timeZone, now, claim: null, ...claimStatuses.get(row.deliveryId) }),
  );
}

export type ViewedDelivery = { readonly row: DeliveryRow; readonly delivery: DeliveryView };

/** Null if the buyer has no such delivery. All parts are from one instant if `tx` is a snapshot. */
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
