// Splits a time span into whole UTC days, which have stored counts, and the parts of days at its ends, whose rows have to be counted.
import { DAY_MS, type Span, utcDay } from '../base/time.ts';

/** UTC days `YYYY-MM-DD`: from ≤ day < until. */
export type DaySpan = { readonly from: string; readonly until: string };

/** Milliseconds since 1970, half open, at most half a day. `sign`: 1 to add to the count of the days, -1 to subtract. */
export type DayPart = Span & { readonly sign: 1 | -1 };

/** The days that lie completely in the span, and the days that touch it. */
export function daysAround({ from, until }: Span): { readonly inner: DaySpan; readonly outer: DaySpan } {
  return {
    inner: { from: dayAt(ceil(from)), until: dayAt(floor(until)) },
    outer: { from: dayAt(floor(from)), until: dayAt(ceil(until)) },
  };
}

/** The whole days nearest to the span, and the corrections: at most half a day at each end in any time zone. */
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
