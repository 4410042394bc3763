// Weekly hours of a zone as spans of one local day, so that daylight saving is the calendar's affair and not ours (contract 4).
import { Temporal } from '../base/temporal.ts';
import type { Span } from '../base/time.ts';
import { weekdays, type WeeklyHours } from './offer.ts';

/** The open spans of the local day that holds `at`, in order, not overlapping. `hours` null means the whole day. */
export function openSpans(hours: readonly WeeklyHours[] | null, at: Date, timeZone: string): Span[] {
  const day = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone).toPlainDate();
  return spansOfDay(hours, day, timeZone);
}

/** The next instant from `at` on at which the hours are open, within two local days; null when there is none. */
export function nextOpening(hours: readonly WeeklyHours[] | null, at: Date, timeZone: string): number | null {
  const now = at.getTime();
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate();
  for (const days of [0, 1]) {
    for (const span of spansOfDay(hours, today.add({ days }), timeZone)) {
      if (now < span.until) return Math.max(now, span.from);
    }
  }
  return null;
}

/** Open milliseconds of the spans, and how many of them lie before `now`. */
export function openTime(spans: readonly Span[], now: number): { total: number; elapsed: number } {
  let total = 0;
  let elapsed = 0;
  for (const span of spans) {
    total += span.until - span.from;
    elapsed += Math.min(Math.max(now - span.from, 0), span.until - span.from);
  }
  return { total, elapsed };
}

/** The instant at which so many open milliseconds have passed; null when the day has fewer. */
export function instantAtOpenTime(spans: readonly Span[], elapsed: number): number | null {
  let before = 0;
  for (const span of spans) {
    const length = span.until - span.from;
    if (elapsed <= before + length) return span.from + (elapsed - before);
    before += length;
  }
  return null;
}

function spansOfDay(hours: readonly WeeklyHours[] | null, day: Temporal.PlainDate, timeZone: string): Span[] {
  const at = (minute: number): number => {
    const date = minute >= 1440 ? day.add({ days: 1 }) : day;
    const time = Temporal.PlainTime.from({ hour: Math.trunc((minute % 1440) / 60), minute: minute % 60 });
    return date.toZonedDateTime({ timeZone, plainTime: time }).epochMilliseconds;
  };
  if (hours === null) return [{ from: at(0), until: at(1440) }];
  const weekday = weekdays[day.dayOfWeek - 1];
  const spans = hours
    .filter((entry) => weekday !== undefined && entry.days.includes(weekday))
    .map((entry) => ({ from: at(entry.fromMinute), until: at(entry.toMinute) }))
    .filter((span) => span.from < span.until)
    .toSorted((left, right) => left.from - right.from);
  return merged(spans);
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
