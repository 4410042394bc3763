// Previews the filing of a claim on a delivery: the same checks in the same order as filing, without filing it (contract 6.11).
import { typeId, type DeliveryId } from '../base/ids.ts';
import type { ClaimKind } from '../buyers/claim-status.ts';
import { deliveryRef } from '../deliveries/delivery.ts';
import { readDelivery } from '../deliveries/return-delivery.ts';
import type { Tx } from '../platform/database/database.ts';
import { problemCatalogue } from '../platform/http/problem-catalogue.ts';
import type { ClaimPreviewView } from './claim.schema.ts';
import type { Claim } from './claim.ts';
import { claimsOnDelivery } from './claim.sql.ts';
import { claimMonth, decisionDue, fileableUntil } from './claim-window.rules.ts';
import { type FilingRefusal, refusalBeforeCap } from './filing.rules.ts';
import { type FilingBuyer, type FilingClaim, type FilingRefused, judgeFiling } from './judge-filing.ts';
import { type CapMonth, capOf, type CapUse, isCapReached, readCap, readCapMonths } from './month-cap.ts';
import { needsProof, type Reason, reasonsOf } from './reason.rules.ts';
import type { LockedDelivery } from '../deliveries/delivery.ts';

export type FilingOption = {
  /** Null if a claim with a fitting reason and the required proof could be filed now. */
  readonly refusal: FilingRefusal | null;
  /** The last second for filing, whether or not another check refuses the claim. */
  readonly until: Date;
};

export type FilingPreview = {
  readonly delivery: LockedDelivery;
  readonly options: Readonly<Record<ClaimKind, FilingOption>>;
  /** The reasons for this kind of delivery. */
  readonly reasons: readonly Reason[];
  /** The cap on returns of this kind of delivery in its month (given by its first day); `used` may exceed `limit`. */
  readonly cap: CapUse;
  /** Claims on this delivery, newest first. */
  readonly claims: readonly Claim[];
};

export type ClaimPreview = {
  readonly delivery: LockedDelivery;
  /** Why filing this claim would be refused now; null if it would be filed. */
  readonly refusal: FilingRefused | null;
  readonly until: Date;
  /** When the decision would be due if the claim were filed now. */
  readonly decisionDueAt: Date;
  readonly proofRequired: boolean;
  /** Null for a dispute, which has none. */
  readonly cap: FilingPreview['cap'] | null;
};

export type ClaimToPreview = FilingClaim & { readonly deliveryId: DeliveryId | null };

/** Null when the partner has no such delivery. Writes and locks nothing; consistent if `tx` is a snapshot. */
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

/** Null when the partner has no such delivery. Writes nothing; consistent if `tx` is a snapshot. */
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

/** The wire form of a preview. Status and detail are those of the problem document that filing would return. */
export function claimPreviewView(preview: ClaimPreview): ClaimPreviewView {
  const { delivery, refusal, until, decisionDueAt, proofRequired, cap } = preview;
  return {
    deliveryId: typeId('delivery', delivery.deliveryId),
    deliveryRef: deliveryRef(delivery.eventType, delivery.refNumber),
    allowed: refusal === null,
    refusal:
      refusal === null
        ? null
        : {
            status: problemCatalogue[refusal.code].status,
            code: refusal.code,
            detail: refusal.detail ?? problemCatalogue[refusal.code].meaning,
          },
    until: until.toISOString(),
    decisionDueAt: decisionDueAt.toISOString(),
    proofRequired,
    // The cap may have been lowered since.
    cap: cap && { ...cap, month: cap.month.slice(0, 'YYYY-MM'.length), remaining: Math.max(0, cap.limit - cap.used) },
  };
}
