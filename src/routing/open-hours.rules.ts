// Opening hours on the days of a time zone: open while the zone's clocks show a time between from and to (contract 4.2). Hours that the
// clocks skip are lost, and hours that they repeat count twice.
import type { Span } from '../base/time.ts';
import type { LocalDay } from './local-day.rules.ts';
import type { WeeklyHours } from './offer.ts';

const MINUTE_MS = 60_000;
/** One week for the next same weekday, and another in case the clocks skip its hours. */
const DAYS_AHEAD = 14;

/** The open spans of the day, in order, neither overlapping nor touching. `hours` null means the whole day. */
export function openSpans(hours: readonly WeeklyHours[] | null, day: LocalDay): readonly Span[] {
  if (hours === null) return [{ from: day.from, until: day.until }];
  const spans = hours
    .filter((entry) => entry.days.includes(day.weekday))
    .flatMap(({ fromMinute, toMinute }) =>
      day.stretches.map((stretch) => ({
        from: Math.max(stretch.from, stretch.midnight + fromMinute * MINUTE_MS),
        until: Math.min(stretch.until, stretch.midnight + toMinute * MINUTE_MS),
      })),
    )
    .filter((span) => span.from < span.until)
    .toSorted((left, right) => left.from - right.from);
  return merged(spans);
}

/** The first instant from `at` on at which the hours are open; null when they never are. `at` is not before the day. */
export function nextOpening(hours: readonly WeeklyHours[] | null, day: LocalDay, at: number): number | null {
  if (hours === null) return at;
  let current = day;
  while (current.until <= at) current = current.next();
  for (let ahead = 0; ahead <= DAYS_AHEAD; ahead += 1) {
    const span = openSpans(hours, current).find(({ until }) => at < until);
    if (span !== undefined) return Math.max(at, span.from);
    current = current.next();
  }
  return null;
}

/** Milliseconds of all spans, and how many of them lie before `now`. */
export function openTime(spans: readonly Span[], now: number): { total: number; elapsed: number } {
  let total = 0;
  let elapsed = 0;
  for (const span of spans) {
    total += span.until - span.from;
    elapsed += Math.min(Math.max(now - span.from, 0), span.until - span.from);
  }
  return { total, elapsed };
}

/** The open instant at which `elapsed` open milliseconds have passed; null when the spans are not longer than that. */
export function instantAtOpenTime(spans: readonly Span[], elapsed: number): number | null {
  let before = 0;
  for (const span of spans) {
    const length = span.until - span.from;
    // Not at its end: the end is closed already, and the next span begins with the same time elapsed.
    if (elapsed < before + length) return span.from + (elapsed - before);
    before += length;
  }
  return null;
}

function merged(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const span of spans) {
    const last = result.at(-1);
    if (last !== undefined && span.from <= last.until) {
      result[result.length - 1] = { from: last.from, until: Math.max(last.until, span.until) };
    } else {
      result.push(span);
    }
  }
  return result;
}
