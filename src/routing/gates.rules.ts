// What may close an offer at this moment, whatever the lead: schedule, caps, budgets, pacing and funds, in this order
// (contract 4, choice). Each offer is looked at once per batch; after that only its counters move.
import { capSpan, capWindows, type CapWindow, type Span } from '../base/time.ts';
import type { LeftOut } from './eligibility.rules.ts';
import type { BookedOffer } from './offer-book.rules.ts';
import { instantAtOpenTime, nextOpening, openSpans, openTime } from './open-hours.rules.ts';

/** One window's counter as the batch believes it to be, and what it may reach. */
export type GateCounter = {
  readonly window: CapWindow;
  readonly span: Span;
  used: number;
  usedCents: number;
  /** null = no limit. */
  readonly cap: number | null;
  readonly budgetCents: number | null;
};

/** How many may be sold by now under even pacing, and when one more may; null without pacing. */
export type Pace = {
  readonly allowed: number;
  readonly spans: readonly Span[];
  readonly cap: number;
  readonly totalMs: number;
};

export type Gate = {
  /** Set while the schedule is closed: nothing else matters then. */
  readonly closed: Closed | null;
  readonly counters: readonly GateCounter[];
  readonly pace: Pace | null;
};

/** A refusal by the moment rather than by the lead; `opensAt` in milliseconds says when it may end, null when by no clock. */
export type Closed = LeftOut & { readonly opensAt: number | null };

export type CounterReading = (window: CapWindow, startsAt: number) => { used: number; usedCents: number } | null;

/** The windows of an offer that have a limit, with the spans that hold `now`. */
export function limitedWindows(
  { offer, buyer }: BookedOffer,
  now: Date,
  spanOf: SpanOf,
): Array<{ window: CapWindow; span: Span }> {
  return capWindows
    .filter((window) => offer.caps[window] !== null || offer.budgetCents[window] !== null)
    .map((window) => ({ window, span: spanOf(window, now, buyer.timeZone) }));
}

export type SpanOf = (window: CapWindow, at: Date, timeZone: string) => Span;

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

export function makeGate(
  booked: BookedOffer,
  now: Date,
  { spanOf, reading }: { spanOf: SpanOf; reading: CounterReading },
): Gate {
  const { offer, buyer } = booked;
  const at = now.getTime();
  const evenCap = offer.pacing === 'even' ? offer.caps.daily : null;
  const spans = offer.schedule === null && evenCap === null ? null : openSpans(offer.schedule, now, buyer.timeZone);
  const isOpen = spans === null || offer.schedule === null || spans.some((span) => span.from <= at && at < span.until);
  const counters = limitedWindows(booked, now, spanOf).map(({ window, span }) => ({
    window,
    span,
    ...(reading(window, span.from) ?? { used: 0, usedCents: 0 }),
    cap: offer.caps[window],
    budgetCents: offer.budgetCents[window],
  }));
  return {
    closed: isOpen ? null : { code: 'outside_schedule', opensAt: nextOpening(offer.schedule, now, buyer.timeZone) },
    counters,
    pace: evenCap === null || spans === null ? null : paceAt(spans, evenCap, at),
  };
}

function paceAt(spans: readonly Span[], cap: number, now: number): Pace {
  const { total, elapsed } = openTime(spans, now);
  const allowed = total === 0 ? cap : Math.min(cap, Math.ceil((cap * elapsed) / total) + 1);
  return { allowed, spans, cap, totalMs: total };
}

/** The first thing that keeps a payout of so many cents from this offer now; null when nothing does. */
export function closedBy(gate: Gate, payoutCents: number): Closed | null {
  if (gate.closed !== null) return gate.closed;
  for (const { window, span, used, cap } of gate.counters) {
    if (cap !== null && used >= cap) {
      return { code: 'cap_reached', got: { window, used }, want: cap, opensAt: cap === 0 ? null : span.until };
    }
  }
  for (const { window, span, usedCents, budgetCents } of gate.counters) {
    if (budgetCents !== null && usedCents + payoutCents > budgetCents) {
      const opensAt = payoutCents > budgetCents ? null : span.until;
      return { code: 'budget_reached', got: { window, usedCents, payoutCents }, want: budgetCents, opensAt };
    }
  }
  return overPace(gate);
}

function overPace({ pace, counters }: Gate): Closed | null {
  if (pace === null) return null;
  const used = counters.find((counter) => counter.window === 'daily')?.used ?? 0;
  if (used < pace.allowed) return null;
  // One more is allowed as soon as ceil(cap * elapsed / total) + 1 exceeds what is used.
  const elapsed = Math.floor(((used - 1) * pace.totalMs) / pace.cap) + 1;
  return { code: 'over_pace', got: used, want: pace.allowed, opensAt: instantAtOpenTime(pace.spans, elapsed) };
}
