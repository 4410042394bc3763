// Builds the portal's view of a return or dispute for the partner that filed it.
import { typeId } from '../../base/ids.ts';
import { wireAmount } from '../../base/money.ts';
import type { Claim } from '../../claims/claim.ts';
import { isWithdrawable } from '../../claims/claim-steps.rules.ts';
import { claimIdOf } from '../../claims/claim-view.rules.ts';
import { deliveryRef } from '../../deliveries/delivery.ts';
import type { PortalClaim } from './claims.schema.ts';

/** Leaves out the marketplace's evidence, the reviewer and the supplier. */
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
