// Reads the claim status of deliveries: the latest claim on each, and whether claims or caps prevent a return now (contract 6.1).
import type { DeliveryId } from '../base/ids.ts';
import { returnability } from '../buyers/return-window.rules.ts';
import type { DeliveryRow } from '../deliveries/delivery.ts';
import type { DeliveryClaimStatus, ClaimBuyer } from '../deliveries/view-deliveries.ts';
import type { Tx } from '../platform/database/database.ts';
import { claimsOfDeliveries } from './claim.sql.ts';
import { claimIdOf } from './claim-view.rules.ts';
import { claimMonth } from './claim-window.rules.ts';
import { type CapMonth, capOf, isCapReached, readCapMonths } from './month-cap.ts';

/**
 * Runs one statement for the claims and one for the caps' counts, for a page of deliveries as for a single one. Deliveries are counted
 * only for a cap that may be exhausted. Writes nothing.
 */
export async function readClaimStatuses(
  tx: Tx,
  buyer: ClaimBuyer,
  rows: readonly DeliveryRow[],
  now: Date,
): Promise<ReadonlyMap<DeliveryId, DeliveryClaimStatus>> {
  if (rows.length === 0) return new Map();
  const { buyerKey } = buyer;
  const latest = await tx.query(claimsOfDeliveries, {
    buyerKey,
    deliveryIds: rows.map(({ deliveryId }) => deliveryId),
  });
  const claimStatuses = new Map<DeliveryId, DeliveryClaimStatus>(
    latest.map(({ deliveryId, returnDenied, ...claim }) => [
      deliveryId,
      { claim: { kind: claim.kind, id: claimIdOf(claim), status: claim.status }, returnDenied },
    ]),
  );
  const capped = await findCapped(tx, buyer, returnable(rows, { buyer, claimStatuses, now }));
  for (const deliveryId of capped) {
    claimStatuses.set(deliveryId, { ...(claimStatuses.get(deliveryId) ?? { claim: null }), capReached: true });
  }
  return claimStatuses;
}

/** Deliveries that can be returned unless their cap is exhausted. */
function returnable(
  rows: readonly DeliveryRow[],
  {
    buyer,
    claimStatuses,
    now,
  }: { buyer: ClaimBuyer; claimStatuses: ReadonlyMap<DeliveryId, DeliveryClaimStatus>; now: Date },
): DeliveryRow[] {
  const { returnPolicy: policy, timeZone } = buyer;
  return rows.filter(({ deliveryId, status, deliveredAt, confirmedAt }) => {
    const { claim, returnDenied } = claimStatuses.get(deliveryId) ?? { claim: null };
    const claimStatus = returnDenied === true ? ({ kind: 'return', status: 'denied' } as const) : claim;
    const facts = { status, deliveredAt, confirmedAt, claim: claimStatus, capReached: false, policy, timeZone, now };
    return returnability(facts).reason === null;
  });
}

/** Deliveries whose monthly cap is exhausted. */
async function findCapped(tx: Tx, buyer: ClaimBuyer, rows: readonly DeliveryRow[]): Promise<DeliveryId[]> {
  const { buyerKey, returnPolicy } = buyer;
  const months = monthsOf(rows, buyer.timeZone);
  const used = await readCapMonths(
    tx,
    buyerKey,
    months.map(({ month }) => month),
  );
  const capped: DeliveryId[] = [];
  for (const [index, { month, deliveryIds }] of months.entries()) {
    const question = { cap: capOf(returnPolicy, month.eventType), month, used: used[index] ?? 0 };
    if (await isCapReached(tx, buyerKey, question)) capped.push(...deliveryIds);
  }
  return capped;
}

type MonthOfRows = { readonly month: CapMonth; readonly deliveryIds: DeliveryId[] };

/** A month is computed once for all deliveries in it, because it takes about 40 µs. */
function monthsOf(rows: readonly DeliveryRow[], timeZone: string): MonthOfRows[] {
  const months: MonthOfRows[] = [];
  for (const { deliveryId, eventType, deliveredAt } of rows) {
    const at = deliveredAt.getTime();
    const known = months.find(
      ({ month: { span, eventType: kind } }) => kind === eventType && span.from <= at && at < span.until,
    );
    if (known !== undefined) known.deliveryIds.push(deliveryId);
    else months.push({ month: { ...claimMonth(deliveredAt, timeZone), eventType }, deliveryIds: [deliveryId] });
  }
  return months;
}
