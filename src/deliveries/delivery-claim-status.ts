// What claims and caps on returns mean for deliveries that are shown. The slice above knows it and lends the way to ask, so that
// deliveries need not know claims (contract 6.1).
import type { Uuid } from '../base/ids.ts';
import type { Buyer } from '../buyers/buyer.ts';
import type { Tx } from '../platform/database/database.ts';
import type { DeliveryRow } from './delivery-row.ts';
import type { DeliveryView } from './delivery.schema.ts';
import { deliveryView, type DeliveryViewing } from './delivery-view.rules.ts';

export type DeliveryClaimStatus = Pick<DeliveryViewing, 'claim' | 'returnDenied' | 'capReached'>;
export type ClaimBuyer = Pick<Buyer, 'buyerKey' | 'returnPolicy' | 'timeZone'>;

/** A fixed number of statements that write nothing, whatever the number of rows. A delivery without claims may be left out. */
export type ClaimStatusesOf = (
  tx: Tx,
  buyer: ClaimBuyer,
  rows: readonly DeliveryRow[],
  now: Date,
) => Promise<ReadonlyMap<Uuid, DeliveryClaimStatus>>;

export type Viewing = { readonly rows: readonly DeliveryRow[]; readonly claimStatusesOf: ClaimStatusesOf };

/** Deliveries of this buyer as it sees them now, in the order of the rows. */
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
