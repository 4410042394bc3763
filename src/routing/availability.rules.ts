// Checks whether an offer can take a lead now: schedule, caps, budgets and pacing, in this order (contract 4.3), and when it reopens.
// An availability is made once per offer and batch; after that only its counters change.
import { capSpan, capWindows, type CapWindow, type Span } from '../base/time.ts';
import { type LeftOut, ruleFailed } from './eligibility.rules.ts';
import type { LocalDay, LocalDayOf } from './local-day.rules.ts';
import type { IndexedOffer } from './offer-index.rules.ts';
import type { WeeklyHours } from './offer.ts';
import { instantAtOpenTime, nextOpening, openSpans, openTime } from './open-hours.rules.ts';

/** The counter of one window, sales of the batch included, with its limits. */
export type AvailabilityCounter = {
  readonly window: CapWindow;
  readonly span: Span;
  used: number;
  usedCents: number;
  /** null = no limit. */
  readonly cap: number | null;
  readonly budgetCents: number | null;
};

/** Even pacing: `allowed` is how many of the day's cap may be sold by now. */
export type Pace = {
  readonly allowed: number;
  readonly spans: readonly Span[];
  readonly cap: number;
  readonly totalMs: number;
};

export type Availability = {
  readonly now: number;
  /** Per sale. */
  readonly payoutCents: number;
  readonly hours: readonly WeeklyHours[] | null;
  readonly day: LocalDay;
  readonly isOpen: boolean;
  /** One for every window, with a limit or without. */
  readonly counters: readonly AvailabilityCounter[];
  /** null without pacing. */
  readonly pace: Pace | null;
  /** Once closed, an offer stays closed for the batch: time stands still, and its counters no longer change. */
  closed: Closed | null;
  /** Found open since its counters last changed. */
  isKnownOpen: boolean;
  /** Leads of the batch that are held until the pace allows them; the next one queues behind them. */
  waiting: number;
  /** The last result of `nextOpenSlot`, for `behind` waiting leads; null before the first call. */
  lastOpenSlot: { readonly behind: number; readonly at: number | null } | null;
};

/**
 * Why an offer takes no lead now. `opensAt` in milliseconds is when the last of these reasons ends, as the counters are now; null when
 * one of them does not end with time.
 */
export type Closed = LeftOut & { readonly opensAt: number | null };

export type CounterReading = (window: CapWindow, startsAt: number) => { used: number; usedCents: number } | null;

export type SpanOf = (window: CapWindow, at: Date, timeZone: string) => Span;

/** The windows of an offer that contain `now`. A sale counts in all of them, so that a limit set later includes earlier sales. */
export function windowsOf(
  { buyer }: IndexedOffer,
  now: Date,
  spanOf: SpanOf,
): Array<{ window: CapWindow; span: Span }> {
  return capWindows.map((window) => ({ window, span: spanOf(window, now, buyer.timeZone) }));
}

/** Whether the window has a cap or a budget: only then its counter must be read before deciding. */
export function isLimited({ offer }: IndexedOffer, window: CapWindow): boolean {
  return offer.caps[window] !== null || offer.budgetCents[window] !== null;
}

/** capSpan with a cache: a zone's windows are the same for all offers of a batch, and calendar arithmetic is expensive. */
export function cachedSpans(): SpanOf {
  const known = { daily: new Map<string, Span>(), weekly: new Map<string, Span>(), monthly: new Map<string, Span>() };
  return (window, at, timeZone) => {
    const found = known[window].get(timeZone);
    if (found !== undefined && found.from <= at.getTime() && at.getTime() < found.until) return found;
    const span = capSpan(window, at, timeZone);
    known[window].set(timeZone, span);
    return span;
  };
}

export type Calendar = { readonly spanOf: SpanOf; readonly dayOf: LocalDayOf };

export function makeAvailability(
  indexed: IndexedOffer,
  now: Date,
  {
    spanOf,
    dayOf,
    reading,
    failingSince = null,
  }: Calendar & { readonly reading: CounterReading; readonly failingSince?: Date | null },
): Availability {
  const { offer, buyer } = indexed;
  const at = now.getTime();
  const day = dayOf(now, buyer.timeZone);
  const evenCap = offer.pacing === 'even' ? offer.caps.daily : null;
  const spans = offer.schedule === null && evenCap === null ? null : openSpans(offer.schedule, day);
  return {
    now: at,
    payoutCents: offer.payoutCents,
    hours: offer.schedule,
    day,
    isOpen: spans === null || spans.some((span) => span.from <= at && at < span.until),
    counters: capWindows.map((window) => {
      const span = spanOf(window, now, buyer.timeZone);
      const { used, usedCents } = reading(window, span.from) ?? unused;
      return { window, span, used, usedCents, cap: offer.caps[window], budgetCents: offer.budgetCents[window] };
    }),
    pace: evenCap === null || spans === null ? null : paceAt(spans, evenCap, at),
    closed: failingSince === null ? null : { code: 'endpoint_failing', got: failingSince, opensAt: null },
    isKnownOpen: false,
    waiting: 0,
    lastOpenSlot: null,
  };
}

/** Of an offer for which a rule failed: it takes no leads of the batch. */
export function failedAvailability(now: Date, error: unknown): Availability {
  const at = now.getTime();
  const day: LocalDay = { from: at, until: at, weekday: 'mon', stretches: [], next: () => day };
  return {
    ...{ now: at, payoutCents: 0, hours: null, day, isOpen: false, counters: [], pace: null },
    ...{ closed: { ...ruleFailed(error), opensAt: null }, isKnownOpen: false, waiting: 0, lastOpenSlot: null },
  };
}

const unused = { used: 0, usedCents: 0 };

function paceAt(spans: readonly Span[], cap: number, now: number): Pace {
  const { total, elapsed } = openTime(spans, now);
  const allowed = total === 0 ? cap : Math.min(cap, Math.ceil((cap * elapsed) / total) + 1);
  return { allowed, spans, cap, totalMs: total };
}

/** The first reason why this offer takes no further lead now; null when there is none. */
export function closedBy(availability: Availability): Closed | null {
  if (availability.closed !== null || availability.isKnownOpen) return availability.closed;
  const reason = firstReason(availability);
  if (reason === null) availability.isKnownOpen = true;
  else availability.closed = { ...reason, opensAt: reopening(availability, 0) };
  return availability.closed;
}

/** Adds one sale to all counters. */
export function countSale(availability: Availability): void {
  availability.isKnownOpen = false;
  for (const counter of availability.counters) {
    counter.used += 1;
    counter.usedCents += availability.payoutCents;
  }
}

/**
 * When a closed offer can take one lead more than those that wait for it already: a pace allows them one after the other, so waking a
 * thousand for one sale would be useless. The next day starts from zero again. null when the offer does not open with time.
 */
export function nextOpenSlot(availability: Availability): number | null {
  const { pace, closed, waiting } = availability;
  if (pace === null || waiting === 0) return closed?.opensAt ?? null;
  if (availability.lastOpenSlot?.behind !== waiting)
    availability.lastOpenSlot = { behind: waiting, at: reopening(availability, waiting) };
  return availability.lastOpenSlot.at;
}

/** The last instant up to `until` at which a paced offer is within its hours today; null if it does not open by then. */
export function lastOpenInstant({ pace, closed }: Availability, until: number): number | null {
  const opensAt = closed?.opensAt ?? null;
  if (pace === null || opensAt === null || opensAt > until) return null;
  const spans = pace.spans.filter(({ from }) => from <= until);
  return Math.max(opensAt, ...spans.map((span) => Math.min(span.until - 1, until)));
}

function firstReason(availability: Availability): LeftOut | null {
  const { payoutCents, pace } = availability;
  if (!availability.isOpen) return { code: 'outside_schedule' };
  for (const { window, used, cap } of availability.counters) {
    if (cap !== null && used >= cap) return { code: 'cap_reached', got: { window, used }, want: cap };
  }
  for (const { window, usedCents, budgetCents } of availability.counters) {
    if (budgetCents !== null && usedCents + payoutCents > budgetCents) {
      return { code: 'budget_reached', got: { window, usedCents, payoutCents }, want: budgetCents };
    }
  }
  const used = usedToday(availability);
  return pace !== null && used >= pace.allowed ? { code: 'over_pace', got: used, want: pace.allowed } : null;
}

/**
 * The first instant from now on at which the hours are open, every exhausted window has been reset, and the pace allows one lead more
 * than those sold plus those `ahead`.
 */
function reopening({ now, payoutCents, hours, day, counters, pace }: Availability, ahead: number): number | null {
  let from = now;
  for (const { span, used, usedCents, cap, budgetCents } of counters) {
    // Even an empty window would not allow a sale: only the operator can change that.
    if (cap === 0 || (budgetCents !== null && payoutCents > budgetCents)) return null;
    const isCapped = cap !== null && used >= cap;
    const isSpent = budgetCents !== null && usedCents + payoutCents > budgetCents;
    if (isCapped || isSpent) from = Math.max(from, span.until);
  }
  const opening = nextOpening(hours, day, from);
  // Another day begins with no sales, and the pace always allows the first one.
  if (opening === null || opening >= day.until || pace === null) return opening;
  const inPace = allowsOneMore(pace, usedToday({ counters }) + ahead);
  return inPace === null ? nextOpening(hours, day, day.until) : Math.max(opening, inPace);
}

/** The first open instant at which the pace allows one more than `used`; null when that is not on this day any more. */
function allowsOneMore({ spans, cap, totalMs }: Pace, used: number): number | null {
  if (used >= cap) return null;
  // The least whole number of milliseconds with ceil(cap * elapsed / total) + 1 > used.
  const elapsed = used === 0 ? 0 : Math.floor(((used - 1) * totalMs) / cap) + 1;
  return instantAtOpenTime(spans, elapsed);
}

function usedToday({ counters }: Pick<Availability, 'counters'>): number {
  return counters.find((counter) => counter.window === 'daily')?.used ?? 0;
}
