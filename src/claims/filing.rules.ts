// Why a return or dispute cannot be filed: the refusals that follow on a readable body, first that applies (contract 6.8, 6.9).
import { isWindowOver } from '../base/business-days.rules.ts';
import type { ClaimKind } from '../buyers/claim-status.ts';
import type { ClaimState } from '../buyers/return-window.rules.ts';
import type { EventType, DeliveryStatus } from '../deliveries/delivery.ts';
import { fitsKind, needsProof, type ReasonCode } from './reason.rules.ts';

export type FilingFacts = {
  readonly kind: ClaimKind;
  readonly reason: ReasonCode;
  readonly statement: string | null;
  readonly evidenceUrl: string | null;
  readonly eventType: EventType;
  readonly status: DeliveryStatus;
  /** All claims on the delivery. */
  readonly claimStatuses: readonly ClaimState[];
  /** The last second in which a claim of this kind may be filed. */
  readonly until: Date;
  readonly now: Date;
};

export type RefusalBeforeCap =
  | 'reason_kind_mismatch'
  | 'delivery_not_confirmed'
  | 'claim_exists'
  | 'return_window_closed'
  | 'dispute_window_closed';
export type RefusalAfterCap = 'proof_required' | 'detail_required' | 'evidence_required';
export type FilingRefusal = 'delivery_not_found' | RefusalBeforeCap | 'return_cap_reached' | RefusalAfterCap;

/** What is refused before the month's cap is looked at; null for nothing. */
export function refusalBeforeCap(facts: FilingFacts): RefusalBeforeCap | null {
  const { kind, reason, eventType, status, claimStatuses, until, now } = facts;
  if (!fitsKind(reason, eventType)) return 'reason_kind_mismatch';
  if (status !== 'Confirmed') return 'delivery_not_confirmed';
  if (claimStatuses.some((claimStatus) => forbids(kind, claimStatus))) return 'claim_exists';
  if (isWindowOver(until, now)) return kind === 'return' ? 'return_window_closed' : 'dispute_window_closed';
  return null;
}

/** And what after it. */
export function refusalAfterCap({ kind, reason, statement, evidenceUrl }: FilingFacts): RefusalAfterCap | null {
  if (kind === 'return') return needsProof(reason) && statement === null ? 'proof_required' : null;
  if (statement === null) return 'detail_required';
  return needsProof(reason) && evidenceUrl === null ? 'evidence_required' : null;
}

/** Open and approved claims of either kind stand in the way, and a denied one of the same kind: a dispute appeals a denied return once. */
export function forbids(filed: ClaimKind, { kind, status }: ClaimState): boolean {
  return status === 'denied' ? kind === filed : status !== 'withdrawn';
}
