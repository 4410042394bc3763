// A return or dispute as the portal shows it: both kinds in one form, so that one list holds them.
import { type Static, type TSchema, Type } from 'typebox';

import { typeId } from '../../base/ids.ts';
import { wireAmount } from '../../base/money.ts';
import { deliveryRef } from '../../deliveries/delivery-ref.ts';
import type { Claim } from '../../claims/claim.ts';
import { isWithdrawable } from '../../claims/claim-steps.rules.ts';
import { claimIdOf } from '../../claims/claim-view.rules.ts';

const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
const instant = Type.String({ format: 'date-time' });

export const claimKinds = ['return', 'dispute'] as const;
export const claimStatuses = ['submitted', 'under_review', 'approved', 'denied', 'withdrawn'] as const;

export const PortalClaimSchema = Type.Object({
  id: Type.String(),
  kind: Type.Enum([...claimKinds]),
  status: Type.Enum([...claimStatuses]),
  deliveryId: Type.String(),
  deliveryRef: Type.String(),
  eventType: Type.String(),
  payout: Type.Number(),
  reason: Type.String(),
  /** The proof of a return, the detail of a dispute. */
  statement: orNull(Type.String()),
  evidenceUrl: orNull(Type.String()),
  filedAt: instant,
  decisionDueAt: instant,
  decidedAt: orNull(instant),
  decisionNote: orNull(Type.String()),
  credit: orNull(Type.Object({ amount: Type.Number(), entryId: Type.String() })),
  isWithdrawable: Type.Boolean(),
});
export type PortalClaim = Static<typeof PortalClaimSchema>;

/** Nothing of the evidence that we hold, of who decided, or of the supplier. */
export function portalClaim(claim: Claim): PortalClaim {
  const { kind, status, eventType, creditCents, creditTransferId } = claim;
  return {
    id: claimIdOf(claim),
    kind,
    status,
    deliveryId: typeId('delivery', claim.deliveryId),
    deliveryRef: deliveryRef(eventType, claim.refNumber),
    eventType,
    payout: wireAmount(claim.payoutCents),
    reason: claim.reason,
    statement: claim.statement,
    evidenceUrl: claim.evidenceUrl,
    filedAt: claim.filedAt.toISOString(),
    decisionDueAt: claim.decisionDueAt.toISOString(),
    decidedAt: claim.decidedAt?.toISOString() ?? null,
    decisionNote: claim.decisionNote,
    credit:
      creditCents === null || creditTransferId === null
        ? null
        : { amount: wireAmount(creditCents), entryId: typeId('transfer', creditTransferId) },
    isWithdrawable: isWithdrawable(status),
  };
}
