// Builds the portal's view of a return or dispute for the partner that filed it.
import { wireAmount } from '../../base/money.ts';
import type { Claim } from '../../claims/claim.ts';
import { isWithdrawable } from '../../claims/claim-steps.rules.ts';
import { claimedDelivery, claimIdOf, claimState } from '../../claims/claim-view.rules.ts';
import type { PortalClaim } from './claims.schema.ts';

/** Leaves out the marketplace's evidence, the reviewer and the supplier. */
export function portalClaim(claim: Claim): PortalClaim {
  return {
    id: claimIdOf(claim),
    kind: claim.kind,
    ...claimedDelivery(claim),
    eventType: claim.eventType,
    payout: wireAmount(claim.payoutCents),
    reason: claim.reason,
    statement: claim.statement,
    evidenceUrl: claim.evidenceUrl,
    ...claimState(claim),
    isWithdrawable: isWithdrawable(claim.status),
  };
}
