// Decides whether a claim may be filed on a delivery, both for filing and for its preview (contract 6.8, 6.9, 6.11).
import type { Buyer } from '../buyers/buyer.ts';
import type { ClaimKind } from '../buyers/claim-status.ts';
import type { Tx } from '../platform/database/database.ts';
import { claimsOfDelivery, type Earlier } from './claim.sql.ts';
import { claimIdOf } from './claim-view.rules.ts';
import { claimMonth, fileableUntil } from './claim-window.rules.ts';
import { type FilingFacts, type FilingRefusal, forbids, refusalAfterCap, refusalBeforeCap } from './filing.rules.ts';
import { type CapMonth, capOf, isCapReached } from './month-cap.ts';
import type { ReasonCode } from './reason.rules.ts';
import type { LockedDelivery } from '../deliveries/delivery.ts';

export type FilingBuyer = Pick<Buyer, 'buyerKey' | 'returnPolicy' | 'timeZone'>;

/** The content of a claim that the decision depends on. */
export type FilingClaim = {
  readonly kind: ClaimKind;
  readonly reason: ReasonCode;
  readonly statement: string | null;
  readonly evidenceUrl: string | null;
};

export type FilingRefused = { readonly code: FilingRefusal; readonly detail?: string };

export type Judgement = {
  /** Null if the claim may be filed. */
  readonly refusal: FilingRefused | null;
  /** The last second in which a claim of this kind may be filed. */
  readonly until: Date;
  /** The month whose cap a return of the delivery counts to. */
  readonly month: CapMonth;
};

export type JudgementInput = {
  readonly claim: FilingClaim;
  readonly delivery: LockedDelivery;
  /** Reads how many returns of the month are used; called only if no earlier check refuses the claim. */
  readonly usedOf: (tx: Tx, buyerKey: string, month: CapMonth) => Promise<number>;
};

/** The first refusal in the order of the contract. Writes nothing itself. */
export async function judgeFiling(
  tx: Tx,
  buyer: FilingBuyer,
  { claim, delivery, usedOf }: JudgementInput,
  now: Date,
): Promise<Judgement> {
  const { buyerKey, returnPolicy, timeZone } = buyer;
  const { eventType, deliveredAt } = delivery;
  const earlier = await tx.query(claimsOfDelivery, { deliveryId: delivery.deliveryId });
  const until = fileableUntil(claim.kind, delivery, buyer);
  const month = { ...claimMonth(deliveredAt, timeZone), eventType };
  const facts: FilingFacts = { ...claim, ...delivery, claimStatuses: earlier, until, now };
  const judged = (refusal: FilingRefused | null): Judgement => ({ refusal, until, month });

  const early = refusalBeforeCap(facts);
  if (early !== null) return judged(withDetail(early, detailOf(early, facts, earlier)));
  if (claim.kind === 'return') {
    const cap = capOf(returnPolicy, eventType);
    const used = await usedOf(tx, buyerKey, month);
    if (await isCapReached(tx, buyerKey, { cap, month, used })) {
      const of = `deliveries of ${month.month.slice(0, 7)}`;
      return judged(
        withDetail('return_cap_reached', `All ${used} returns that the monthly cap allows for ${of} are used.`),
      );
    }
  }
  const late = refusalAfterCap(facts);
  return judged(late === null ? null : { code: late });
}

function withDetail(code: FilingRefusal, detail: string | undefined): FilingRefused {
  return detail === undefined ? { code } : { code, detail };
}

/** Details for the partner in addition to the code; undefined if there are none. */
function detailOf(code: FilingRefusal, { kind, until }: FilingFacts, earlier: readonly Earlier[]): string | undefined {
  if (code === 'return_window_closed') return `The delivery could be returned until ${until.toISOString()}.`;
  if (code === 'dispute_window_closed') return `The delivery could be disputed until ${until.toISOString()}.`;
  const claimStatus = code === 'claim_exists' ? earlier.find((one) => forbids(kind, one)) : undefined;
  if (claimStatus === undefined) return undefined;
  return `There is a claim on this delivery: ${claimIdOf(claimStatus)} is ${claimStatus.status.replace('_', ' ')}.`;
}
