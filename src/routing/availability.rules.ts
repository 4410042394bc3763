// What may close an offer at this moment, whatever the lead: schedule, caps, budgets and pacing, in this order (contract 4.3),
// and when that will be over. Each offer is looked at once per batch; after that only its counters move.
import { capSpan, capWindows, type CapWindow, type Span } from '../base/time.ts';
import type { LeftOut } from './eligibility.rules.ts';
import type { LocalDay, LocalDayOf } from './local-day.rules.ts';
import type { IndexedOffer } from './offer-index.rules.ts';
import type { WeeklyHours } from './offer.ts';
import { instantAtOpenTime, nextOpening, openSpans, openTime } from './open-hours.rules.ts';

/** One window's counter as the batch believes it to be, and what it may reach. */
export type AvailabilityCounter = {
  readonly window: CapWindow;
  readonly span: Span;
  used: number;
  usedCents: number;
  /** null = no limit. */
  readonly cap: number | null;
  readonly budgetCents: number | null;
};

/** Even pacing: how many of the day's cap may be sold by now. */
export type Pace = {
  readonly allowed: number;
  readonly spans: readonly Span[];
  readonly cap: number;
  readonly totalMs: number;
};

export type Availability = {
  readonly now: number;
  /** Of each sale. */
  readonly payoutCents: number;
  readonly hours: readonly WeeklyHours[] | null;
  readonly day: LocalDay;
  readonly isOpen: boolean;
  /** One for every window, with a limit or without. */
  readonly counters: readonly AvailabilityCounter[];
  /** null without pacing. */
  readonly pace: Pace | null;
  /** Once closed, an offer stays closed for the batch: the moment is the same, and its counters stand still. */
  closed: Closed | null;
  /** Found open since its counters last moved. */
  isKnownOpen: boolean;
  /** Leads of the batch that are held until the pace has come to them: the next one has its place behind them. */
  waiting: number;
  /** `nextPosition` for so many waiting; null until it is asked for. */
  position: { readonly behind: number; readonly at: number | null } | null;
};

/**
 * A refusal by the moment rather than by the lead. `opensAt` in milliseconds is when nothing of the kind is left, as the counters
 * now stand: not when the first reason ends, but when the last one does; null when one of them ends by no clock.
 */
export type Closed = LeftOut & { readonly opensAt: number | null };

export type CounterReading = (window: CapWindow, startsAt: number) => { used: number; usedCents: number } | null;

export type SpanOf = (window: CapWindow, at: Date, timeZone: string) => Span;

/** The windows of an offer that hold `now`. A sale counts in all of them, so that a limit set later finds what was sold before. */
export function windowsOf(
  { buyer }: IndexedOffer,
  now: Date,
  spanOf: SpanOf,
): Array<{ window: CapWindow; span: Span }> {
  return capWindows.map((window) => ({ window, span: spanOf(window, now, buyer.timeZone) }));
}

/** Only these need to be known before deciding. */
export function isLimited({ offer }: IndexedOffer, window: CapWindow): boolean {
  return offer.caps[window] !== null || offer.budgetCents[window] !== null;
}

/** capSpan with a memory: a zone's windows are the same for all offers of a batch, and calendar arithmetic is dear. */
export function rememberSpans(): SpanOf {
  const known = new Map<string, Span>();
  return (window, at, timeZone) => {
    const key = `${window} ${timeZone}`;
    const found = known.get(key);
    if (found !== undefined && found.from <= at.getTime() && at.getTime() < found.until) return found;
    const span = capSpan(window, at, timeZone);
    known.set(key, span);
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
    counters: windowsOf(indexed, now, spanOf).map(({ window, span }) => ({
      window,
      span,
      ...(reading(window, span.from) ?? { used: 0, usedCents: 0 }),
      cap: offer.caps[window],
      budgetCents: offer.budgetCents[window],
    })),
    pace: evenCap === null || spans === null ? null : paceAt(spans, evenCap, at),
    closed: failingSince === null ? null : { code: 'endpoint_failing', got: failingSince, opensAt: null },
    isKnownOpen: false,
    waiting: 0,
    position: null,
  };
}

function paceAt(spans: readonly Span[], cap: number, now: number): Pace {
  const { total, elapsed } = openTime(spans, now);
  const allowed = total === 0 ? cap : Math.min(cap, Math.ceil((cap * elapsed) / total) + 1);
  return { allowed, spans, cap, totalMs: total };
}

/** The first thing that keeps one more sale from this offer now; null when nothing does. */
export function closedBy(availability: Availability): Closed | null {
  if (availability.closed !== null || availability.isKnownOpen) return availability.closed;
  const reason = firstReason(availability);
  if (reason === null) availability.isKnownOpen = true;
  else availability.closed = { ...reason, opensAt: reopening(availability, 0) };
  return availability.closed;
}

/** One more sale. */
export function countSale(availability: Availability): void {
  availability.isKnownOpen = false;
  for (const counter of availability.counters) {
    counter.used += 1;
    counter.usedCents += availability.payoutCents;
  }
}

/**
 * When a closed offer may take one lead more than those that wait for it already, not before it opens: a pace that allows one more
 * has no use for a thousand who come for it. On another day they all begin anew. null when it never opens by itself.
 */
export function nextPosition(availability: Availability): number | null {
  const { pace, closed, waiting } = availability;
  if (pace === null || waiting === 0) return closed?.opensAt ?? null;
  if (availability.position?.behind !== waiting)
    availability.position = { behind: waiting, at: reopening(availability, waiting) };
  return availability.position.at;
}

/** The last instant until then at which the hours of a paced offer are open today; null where it does not open before. */
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
 * The first instant from now on at which the hours are open, every window that is used up has begun anew, and the pace allows one more
 * than what is sold and so many `ahead`.
 */
function reopening({ now, payoutCents, hours, day, counters, pace }: Availability, ahead: number): number | null {
  let from = now;
  for (const { span, used, usedCents, cap, budgetCents } of counters) {
    // A limit that not even an empty window keeps: only the operator can end that.
    if (cap === 0 || (budgetCents !== null && payoutCents > budgetCents)) return null;
    const isCapped = cap !== null && used >= cap;
    const isSpent = budgetCents !== null && usedCents + payoutCents > budgetCents;
    if (isCapped || isSpent) from = Math.max(from, span.until);
  }
  const opening = nextOpening(hours, day, from);
  // Another day begins with nothing sold, and of nothing one is always allowed.
  if (opening === null || opening >= day.until || pace === null) return opening;
  const inPace = allowsOneMore(pace, usedToday({ counters }) + ahead);
  return inPace === null ? nextOpening(hours, day, day.until) : Math.max(opening, inPace);
}

/** The open instant from which on the pace allows one more than so many; null when not on this day any more. */
function allowsOneMore({ spans, cap, totalMs }: Pace, used: number): number | null {
  if (used >= cap) return null;
  // The least whole number of milliseconds with ceil(cap * elapsed / total) + 1 > used.
  const elapsed = used === 0 ? 0 : Math.floor(((used - 1) * totalMs) / cap) + 1;
  return instantAtOpenTime(spans, elapsed);
}

function usedToday({ counters }: Pick<Availability, 'counters'>): number {
  return counters.find((counter) => counter.window === 'daily')?.used ?? 0;
}
