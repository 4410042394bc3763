// Transitions between the statuses of a claim (contract 6.10): submitted → under_review → approved | denied, or withdrawn.
import type { ClaimStatus } from '../buyers/claim-status.ts';

export type ReviewStep = 'take' | 'approve' | 'deny';
export type ReviewRefusal = 'claim_not_submitted' | 'claim_closed';

const RESULT = { take: 'under_review', approve: 'approved', deny: 'denied' } as const;

/** The status after a step of a review. A claim can be decided without being taken first, and only once. */
export function afterReview(
  status: ClaimStatus,
  step: ReviewStep,
): { readonly ok: true; readonly status: ClaimStatus } | { readonly ok: false; readonly code: ReviewRefusal } {
  const isOpen = status === 'submitted' || status === 'under_review';
  if (!isOpen) return { ok: false, code: 'claim_closed' };
  if (step === 'take' && status !== 'submitted') return { ok: false, code: 'claim_not_submitted' };
  return { ok: true, status: RESULT[step] };
}

/** Only until its review begins. */
export function isWithdrawable(status: ClaimStatus): boolean {
  return status === 'submitted';
}

/** Denied and withdrawn claims no longer count to the monthly cap. */
export function countsToCap(status: ClaimStatus): boolean {
  return status !== 'denied' && status !== 'withdrawn';
}
