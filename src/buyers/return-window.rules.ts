// Until when a delivery may be returned, and what stands in the way of a return: the refusals of filing one, in their order
// (contract 6.7).
import { endOfBusinessWindow, isWindowOver } from '../base/business-days.rules.ts';
import type { ReturnPolicy } from './buyer.ts';
import type { ClaimKind, ClaimStatus, ReturnRefusal } from './claim-status.ts';

export type ClaimState = { readonly kind: ClaimKind; readonly status: ClaimStatus };

type Window = Pick<ReturnPolicy, 'windowBusinessDays' | 'holidays'>;

/** Of a delivery: when it was routed, and when the partner's endpoint took it; null while it has not, or if it never did. */
export type DeliveryTimes = { readonly deliveredAt: Date; readonly confirmedAt: Date | null };

/**
 * The instant whose day is day 0 of every window in which claims may be filed: the confirmation, so that retries cost the partner no day.
 * The later of both, because they come from the clocks of two machines.
 */
export function windowStart({ deliveredAt, confirmedAt }: DeliveryTimes): Date {
  return confirmedAt !== null && confirmedAt > deliveredAt ? confirmedAt : deliveredAt;
}

// A calendar of business days takes some 40 µs per delivery, and confirmations of one quarter of an hour share its answer: in every time
// zone in use days begin on quarters of an hour.
const QUARTER_MS = 15 * 60_000;
const QUARTERS_KEPT = 5000;
const untilByQuarter = new WeakMap<Window, Map<string, number>>();

/** The last second of the window, as `endOfBusinessWindow` says it; a return may be filed through it. The policy must not be changed. */
export function returnableUntil(delivery: DeliveryTimes, policy: Window, timeZone: string): Date {
  const start = windowStart(delivery);
  const quarter = `${timeZone} ${Math.floor(start.getTime() / QUARTER_MS)}`;
  let known = untilByQuarter.get(policy);
  if (known === undefined || known.size >= QUARTERS_KEPT)
    untilByQuarter.set(policy, (known = new Map<string, number>()));
  let until = known.get(quarter);
  if (until === undefined) {
    const { windowBusinessDays: days, holidays } = policy;
    until = endOfBusinessWindow({ start, days, timeZone, holidays }).getTime();
    known.set(quarter, until);
  }
  return new Date(until);
}

/** Open and approved claims of either kind do, and a denied return; a denied dispute and withdrawn claims do not. */
export function forbidsReturn({ kind, status }: ClaimState): boolean {
  return status === 'denied' ? kind === 'return' : status !== 'withdrawn';
}

export type Returnability = {
  /** ISO 8601 UTC; stated whether or not anything else stands in the way. */
  readonly until: string;
  /** Null while a return may be filed. */
  readonly reason: ReturnRefusal | null;
};

export type ReturnFacts = DeliveryTimes & {
  readonly status: 'Pending' | 'Confirmed' | 'Failed' | 'Returned';
  /** Of several claims on the delivery one that forbids a return, if there is one. */
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
