// Withdraws a claim whose review has not begun (contract 6.10).
import { appendAudit } from '../audit/append-audit.ts';
import type { AuditAuthor } from '../audit/audit-event.ts';
import type { ClaimId } from '../base/ids.ts';
import { done, type Outcome, refuse } from '../base/outcome.ts';
import type { ClaimKind } from '../buyers/claim-status.ts';
import type { Tx } from '../platform/database/database.ts';
import type { Claim } from './claim.ts';
import { moveClaim } from './claim.sql.ts';
import { isWithdrawable } from './claim-steps.rules.ts';
import { claimIdOf } from './claim-view.rules.ts';
import { lockClaim } from './stored-claims.ts';
import { changeCapMonth } from './month-cap.ts';

export type Withdrawal = { readonly kind: ClaimKind; readonly claimId: ClaimId } & AuditAuthor;

/** Returns the claim after the change. A withdrawn return no longer counts to the monthly cap. */
export async function withdrawClaim(
  tx: Tx,
  buyerKey: string,
  { kind, claimId, actor, origin }: Withdrawal,
  now: Date,
): Promise<Outcome<Claim, 'not_found' | 'claim_not_withdrawable'>> {
  const claim = await lockClaim(tx, buyerKey, claimId);
  if (claim === null || claim.kind !== kind) return refuse('not_found');
  if (!isWithdrawable(claim.status)) {
    return refuse('claim_not_withdrawable', `The ${kind} is ${claim.status.replace('_', ' ')}.`);
  }
  await tx.query(moveClaim, {
    claimId,
    status: 'withdrawn',
    decidedAt: null,
    decisionNote: null,
    decidedBy: null,
    creditCents: null,
    creditTransferId: null,
  });
  const { eventType, deliveryMonth: month } = claim;
  if (kind === 'return') await changeCapMonth(tx, buyerKey, { eventType, month, step: -1 });
  await appendAudit(tx, [
    {
      at: now,
      actor,
      buyerKey,
      supplierKey: null,
      action: `${kind}.withdrawn`,
      target: claimIdOf(claim),
      changes: { status: { from: claim.status, to: 'withdrawn' } },
      ...origin,
    },
  ]);
  return done({ ...claim, status: 'withdrawn' });
}
