// Computes until when a delivery may be returned, and the first reason why it may not be (contract 6.7).
import { endOfBusinessWindow, isWindowOver } from '../base/business-days.rules.ts';
import type { ReturnPolicy } from './buyer.ts';
import type { ClaimKind, ClaimStatus, ReturnRefusal } from './claim-status.ts';

export type ClaimState = { readonly kind: ClaimKind; readonly status: ClaimStatus };

type Window = Pick<ReturnPolicy, 'windowBusinessDays' | 'holidays'>;

/** When a delivery was routed, and when the partner's endpoint accepted it; null if it has not. */
export type DeliveryTimes = { readonly deliveredAt: Date; readonly confirmedAt: Date | null };

/**
 * The instant whose day is day 0 of every window for claims: the confirmation, so that retries cost the partner no day. The later of both
 * times, because they come from the clocks of two machines.
 */
export function windowStart({ deliveredAt, confirmedAt }: DeliveryTimes): Date {
  return confirmedAt !== null && confirmedAt > deliveredAt ? confirmedAt : deliveredAt;
}

// Computing business days takes about 40 µs per delivery. Confirmations within the same quarter of an hour share the result, because in
// every time zone in use days begin on quarters of an hour.
const QUARTER_MS = 15 * 60_000;
const QUARTERS_KEPT = 5000;
const untilByQuarter = new WeakMap<Window, Map<string, number>>();

/** The last second in which a return may be filed (`endOfBusinessWindow`). Cached per policy object, which must not be modified. */
export function returnableUntil(delivery: DeliveryTimes, policy: Window, timeZone: string): Date {
  const start = windowStart(delivery);
  const quarter = `${timeZone} ${Math.floor(start.getTime() / QUARTER_MS)}`;
  let cached = untilByQuarter.get(policy);
  if (cached === undefined || cached.size >= QUARTERS_KEPT)
    untilByQuarter.set(policy, (cached = new Map<string, number>()));
  let until = cached.get(quarter);
  if (until === undefined) {
    const { windowBusinessDays: days, holidays } = policy;
    until = endOfBusinessWindow({ start, days, timeZone, holidays }).getTime();
    cached.set(quarter, until);
  }
  return new Date(until);
}

/** Open and approved claims of either kind and denied returns do; denied disputes and withdrawn claims do not. */
export function forbidsReturn({ kind, status }: ClaimState): boolean {
  return status === 'denied' ? kind === 'return' : status !== 'withdrawn';
}

export type Returnability = {
  /** ISO 8601 UTC; present even if there is another reason. */
  readonly until: string;
  /** Null while a return may be filed. */
  readonly reason: ReturnRefusal | null;
};

export type ReturnFacts = DeliveryTimes & {
  readonly status: 'Pending' | 'Confirmed' | 'Failed' | 'Returned';
  /** If there are several claims on the delivery, one that forbids a return, if any. */
  readonly claim: ClaimState | null;
  /** Whether the month's cap for this kind of delivery is used up. */
  readonly capReached: boolean;
  readonly policy: Window;
  /** The partner's. */
  readonly timeZone: string;
  readonly now: Date;
};

export function returnability(facts: ReturnFacts): Returnability {
  const until = returnableUntil(facts, facts.policy, facts.timeZone);
  return { until: until.toISOString(), reason: refusalOf(facts, isWindowOver(until, facts.now)) };
}

function refusalOf(
  { status, claim, capReached }: { status: string; claim: ClaimState | null; capReached: boolean },
  isOver: boolean,
): ReturnRefusal | null {
  if (status !== 'Confirmed') return 'delivery_not_confirmed';
  if (claim !== null && forbidsReturn(claim)) return 'claim_exists';
  if (isOver) return 'return_window_closed';
  return capReached ? 'return_cap_reached' : null;
}
