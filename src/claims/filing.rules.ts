// Checks whether a return or dispute may be filed, and how many returns a monthly cap allows (contract 6.7 to 6.9).
import { isWindowOver } from '../base/business-days.rules.ts';
import type { ClaimCap } from '../buyers/buyer.ts';
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

/** The first refusal that comes before the check of the monthly cap; null for none. */
export function refusalBeforeCap(facts: FilingFacts): RefusalBeforeCap | null {
  const { kind, reason, eventType, status, claimStatuses, until, now } = facts;
  if (!fitsKind(reason, eventType)) return 'reason_kind_mismatch';
  if (status !== 'Confirmed') return 'delivery_not_confirmed';
  if (claimStatuses.some((claimStatus) => forbids(kind, claimStatus))) return 'claim_exists';
  if (isWindowOver(until, now)) return kind === 'return' ? 'return_window_closed' : 'dispute_window_closed';
  return null;
}

/** The first refusal that comes after the check of the monthly cap; null for none. */
export function refusalAfterCap({ kind, reason, statement, evidenceUrl }: FilingFacts): RefusalAfterCap | null {
  if (kind === 'return') return needsProof(reason) && statement === null ? 'proof_required' : null;
  if (statement === null) return 'detail_required';
  return needsProof(reason) && evidenceUrl === null ? 'evidence_required' : null;
}

/** Open and approved claims of either kind forbid a new one, and so does a denied one of the same kind: a dispute appeals a denied return once. */
export function forbids(filed: ClaimKind, { kind, status }: ClaimState): boolean {
  return status === 'denied' ? kind === filed : status !== 'withdrawn';
}

/** Returns in one request, which share a transaction of some ten statements for each. */
export const RETURNS_AT_ONCE = 100;

/** Lets a partner with few deliveries return something at all. */
export const PERCENT_LIMIT_MIN = 3;

/** Returns that a monthly cap allows. `kept` counts the month's Confirmed and Returned deliveries of the kind; a percentage is rounded down. */
export function limitOf(cap: ClaimCap, kept: number): number {
  if ('count' in cap) return cap.count;
  // Percentages have at most two decimals, so hundredths of a percent are whole numbers.
  return Math.max(PERCENT_LIMIT_MIN, Math.floor((kept * Math.round(cap.percent * 100)) / 10_000));
}
