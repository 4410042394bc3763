// What filing a claim on a delivery would be answered now, before anything is filed: by the same rules in the same order (contract 6).
import type { Uuid } from '../base/ids.ts';
import type { ClaimKind } from '../buyers/return-window.rules.ts';
import type { LockedDelivery } from '../deliveries/lock-delivery.ts';
import { readDelivery } from '../deliveries/read-delivery.ts';
import type { Tx } from '../platform/database/database.ts';
import type { Claim } from './claim.ts';
import { claimsOnDelivery } from './claim.sql.ts';
import { claimMonth, fileableUntil } from './claim-window.rules.ts';
import type { FilingBuyer } from './file-claim.ts';
import { type FilingRefusal, refusalBeforeCap } from './filing.rules.ts';
import { type CapMonth, capOf, isCapReached, readCapLimit, readCapMonths } from './month-cap.ts';
import { type Reason, reasonsOf } from './reason.rules.ts';

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

/** Null when the partner has no such delivery. Writes nothing; of one instant if `tx` is a snapshot. */
export async function previewFiling(
  tx: Tx,
  buyer: FilingBuyer,
  deliveryId: Uuid,
  now: Date,
): Promise<FilingPreview | null> {
  const { buyerKey, returnPolicy, timeZone } = buyer;
  const delivery = await readDelivery(tx, buyerKey, deliveryId);
  if (delivery === null) return null;
  const { eventType, deliveredAt } = delivery;
  const claims = await tx.query<Claim>(claimsOnDelivery, [buyerKey, deliveryId]);
  const month: CapMonth = { ...claimMonth(deliveredAt, timeZone), eventType };
  const [used = 0] = await readCapMonths(tx, buyerKey, [month]);
  const cap = capOf(returnPolicy, eventType);
  const reached = await isCapReached(tx, buyerKey, { cap, month, used });
  const [reason] = reasonsOf[eventType];
  const option = (kind: ClaimKind): FilingOption => {
    const until = fileableUntil(kind, deliveredAt, buyer);
    const wish = { kind, reason: reason?.code ?? 'bot', statement: null, evidenceUrl: null };
    const early = refusalBeforeCap({ ...wish, ...delivery, standings: claims, until, now });
    return { until, refusal: early ?? (kind === 'return' && reached ? 'return_cap_reached' : null) };
  };
  return {
    delivery,
    options: { return: option('return'), dispute: option('dispute') },
    reasons: reasonsOf[eventType],
    cap: { month: month.month, limit: await readCapLimit(tx, buyerKey, { cap, month }), used },
    claims,
  };
}
