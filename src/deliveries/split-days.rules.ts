// Splits a time span into whole UTC days, which have stored counts, and the parts of days at its ends, whose rows have to be counted.
import { DAY_MS, type Span, utcDay } from '../base/time.ts';

/** UTC days `YYYY-MM-DD`: from ≤ day < until. */
export type DaySpan = { readonly from: string; readonly until: string };

/** Milliseconds since 1970, half open, of at most half a day; `sign` says whether it is missing from the days or too much. */
export type DayPart = Span & { readonly sign: 1 | -1 };

/** The days that lie in the span as a whole, and those that touch it. */
export function daysAround({ from, until }: Span): { readonly inner: DaySpan; readonly outer: DaySpan } {
  return {
    inner: { from: dayAt(ceil(from)), until: dayAt(floor(until)) },
    outer: { from: dayAt(floor(from)), until: dayAt(ceil(until)) },
  };
}

/** Whole days that come nearest to the span, and what to correct: no more than half a day at each end, whatever the zone. */
export function nearestDays({ from, until }: Span): { readonly days: DaySpan; readonly parts: readonly DayPart[] } {
  const start = nearest(from);
  const end = nearest(until);
  const parts: DayPart[] = [
    ...(start < from ? [{ from: start, until: from, sign: -1 as const }] : []),
    ...(start > from ? [{ from, until: start, sign: 1 as const }] : []),
    ...(end < until ? [{ from: end, until, sign: 1 as const }] : []),
    ...(end > until ? [{ from: until, until: end, sign: -1 as const }] : []),
  ];
  return { days: { from: dayAt(start), until: dayAt(end) }, parts };
}

function floor(ms: number): number {
  return Math.floor(ms / DAY_MS) * DAY_MS;
}

function ceil(ms: number): number {
  return Math.ceil(ms / DAY_MS) * DAY_MS;
}

function nearest(ms: number): number {
  return Math.round(ms / DAY_MS) * DAY_MS;
}

function dayAt(ms: number): string {
  return utcDay(new Date(ms));
}
