// What filing a claim on a delivery would be answered now, before anything is filed: by the same rules in the same order (contract 6.11).
import type { DeliveryId } from '../base/ids.ts';
import type { ClaimKind } from '../buyers/claim-status.ts';
import { readDelivery } from '../deliveries/return-delivery.ts';
import type { Tx } from '../platform/database/database.ts';
import type { Claim } from './claim.ts';
import { claimsOnDelivery } from './claim.sql.ts';
import { claimMonth, decisionDue, fileableUntil } from './claim-window.rules.ts';
import { type FilingRefusal, refusalBeforeCap } from './filing.rules.ts';
import { type FilingBuyer, type FilingClaim, type FilingRefused, judgeFiling } from './judge-filing.ts';
import { type CapMonth, capOf, isCapReached, readCapLimit, readCapMonths } from './month-cap.ts';
import { needsProof, type Reason, reasonsOf } from './reason.rules.ts';
import type { LockedDelivery } from '../deliveries/delivery.ts';

export type FilingOption = {
  /** Null where a claim with a fitting reason, and the proof that it needs, would be taken. */
  readonly refusal: FilingRefusal | null;
  /** The last second for it; stated whether or not anything else stands in the way. */
  readonly until: Date;
};

export type FilingPreview = {
  readonly delivery: LockedDelivery;
  readonly options: Readonly<Record<ClaimKind, FilingOption>>;
  /** Those of the delivery's kind. */
  readonly reasons: readonly Reason[];
  /** Of returns of this kind of delivery in the delivery's month, whose first day it names; `used` may be more than the limit. */
  readonly cap: { readonly month: string; readonly limit: number; readonly used: number };
  /** On this delivery, newest first. */
  readonly claims: readonly Claim[];
};

export type ClaimPreview = {
  readonly delivery: LockedDelivery;
  /** With which filing this very claim would be refused now; null where it would be filed. */
  readonly refusal: FilingRefused | null;
  readonly until: Date;
  /** By when it would be decided, if it were filed now. */
  readonly decisionDueAt: Date;
  readonly proofRequired: boolean;
  /** Null for a dispute, which has none. */
  readonly cap: FilingPreview['cap'] | null;
};

export type ClaimToPreview = FilingClaim & { readonly deliveryId: DeliveryId | null };

/** Null when the partner has no such delivery. Writes and locks nothing; of one instant if `tx` is a snapshot. */
export async function previewClaim(
  tx: Tx,
  buyer: FilingBuyer,
  claim: ClaimToPreview,
  now: Date,
): Promise<ClaimPreview | null> {
  const { buyerKey, returnPolicy, timeZone } = buyer;
  const delivery = claim.deliveryId === null ? null : await readDelivery(tx, buyerKey, claim.deliveryId);
  if (delivery === null) return null;
  const { refusal, until, month } = await judgeFiling(tx, buyer, { claim, delivery, usedOf: readUsed }, now);
  const cap = claim.kind === 'return' ? await readCap(tx, buyer, month) : null;
  const decisionDueAt = decisionDue(now, returnPolicy, timeZone);
  return { delivery, refusal, until, decisionDueAt, proofRequired: needsProof(claim.reason), cap };
}

async function readUsed(tx: Tx, buyerKey: string, month: CapMonth): Promise<number> {
  const [used = 0] = await readCapMonths(tx, buyerKey, [month]);
  return used;
}

async function readCap(
  tx: Tx,
  { buyerKey, returnPolicy }: FilingBuyer,
  month: CapMonth,
): Promise<FilingPreview['cap']> {
  const limit = await readCapLimit(tx, buyerKey, { cap: capOf(returnPolicy, month.eventType), month });
  return { month: month.month, limit, used: await readUsed(tx, buyerKey, month) };
}

/** Null when the partner has no such delivery. Writes nothing; of one instant if `tx` is a snapshot. */
export async function previewFiling(
  tx: Tx,
  buyer: FilingBuyer,
  deliveryId: DeliveryId,
  now: Date,
): Promise<FilingPreview | null> {
  const { buyerKey, returnPolicy, timeZone } = buyer;
  const delivery = await readDelivery(tx, buyerKey, deliveryId);
  if (delivery === null) return null;
  const { eventType, deliveredAt } = delivery;
  const claims = await tx.query(claimsOnDelivery, { buyerKey, deliveryId });
  const month: CapMonth = { ...claimMonth(deliveredAt, timeZone), eventType };
  const cap = await readCap(tx, buyer, month);
  const reached = await isCapReached(tx, buyerKey, { cap: capOf(returnPolicy, eventType), month, used: cap.used });
  const [reason] = reasonsOf[eventType];
  const option = (kind: ClaimKind): FilingOption => {
    const until = fileableUntil(kind, delivery, buyer);
    const input = { kind, reason: reason?.code ?? 'bot', statement: null, evidenceUrl: null };
    const early = refusalBeforeCap({ ...input, ...delivery, claimStatuses: claims, until, now });
    return { until, refusal: early ?? (kind === 'return' && reached ? 'return_cap_reached' : null) };
  };
  return {
    delivery,
    options: { return: option('return'), dispute: option('dispute') },
    reasons: reasonsOf[eventType],
    cap,
    claims,
  };
}
