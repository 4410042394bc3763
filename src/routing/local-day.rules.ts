// Calendar days of a time zone, split into stretches of one UTC offset each, on which weekly hours are laid out: daylight saving time
// needs no special case (contract 4.5).
import { Temporal } from '../base/temporal.ts';
import type { Span } from '../base/time.ts';
import { clockTime } from './offer-form.rules.ts';
import { type Weekday, weekdays } from './offer.schema.ts';

/** From the first instant of a date in the zone to the first of the next date: 23 to 25 hours. */
export type LocalDay = Span & {
  readonly weekday: Weekday;
  /** In order and without gaps: one, or two on a day on which the clocks change. */
  readonly stretches: readonly Stretch[];
  next(): LocalDay;
};

/** Within the stretch, clocks show minute m of the day at `midnight` plus m minutes. */
export type Stretch = Span & { readonly midnight: number };

export type LocalDayOf = (at: Date, timeZone: string) => LocalDay;

/** localDay with a cache: a zone's day is the same for all offers of a batch, and calendar arithmetic is expensive. */
export function cachedLocalDays(): LocalDayOf {
  const known = new Map<string, LocalDay>();
  return (at, timeZone) => {
    const found = known.get(timeZone);
    if (found !== undefined && found.from <= at.getTime() && at.getTime() < found.until) return found;
    const day = localDay(at, timeZone);
    known.set(timeZone, day);
    return day;
  };
}

/** The day of the zone that contains `at`. */
export function localDay(at: Date, timeZone: string): LocalDay {
  const date = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone).toPlainDate();
  return dayOf(date, timeZone);
}

/** Weekday and local time at an instant of the day, such as `sat 21:15`. */
export function clockText({ weekday, stretches }: LocalDay, at: number): string {
  const midnight = stretches.find(({ from, until }) => from <= at && at < until)?.midnight ?? at;
  return `${weekday} ${clockTime(Math.floor((at - midnight) / 60_000))}`;
}

function dayOf(date: Temporal.PlainDate, timeZone: string): LocalDay {
  const start = date.toZonedDateTime({ timeZone });
  const tomorrow = date.add({ days: 1 });
  const end = tomorrow.toZonedDateTime({ timeZone });
  const weekday = weekdays[date.dayOfWeek - 1] ?? 'mon';
  let next: LocalDay | null = null;
  return {
    from: start.epochMilliseconds,
    until: end.epochMilliseconds,
    weekday,
    stretches: stretchesOf(start, end, date),
    next() {
      next ??= dayOf(tomorrow, timeZone);
      return next;
    },
  };
}

function stretchesOf(start: Temporal.ZonedDateTime, end: Temporal.ZonedDateTime, date: Temporal.PlainDate): Stretch[] {
  const midnightInUtc = date.toZonedDateTime('UTC').epochMilliseconds;
  const stretches: Stretch[] = [];
  let from = start;
  while (from.epochMilliseconds < end.epochMilliseconds) {
    // Equal offsets mean no change: no zone changes its clocks twice a day.
    const change = from.offsetNanoseconds === end.offsetNanoseconds ? null : from.getTimeZoneTransition('next');
    const until = change !== null && change.epochMilliseconds < end.epochMilliseconds ? change : end;
    const midnight = midnightInUtc - from.offsetNanoseconds / 1_000_000;
    stretches.push({ from: from.epochMilliseconds, until: until.epochMilliseconds, midnight });
    from = until;
  }
  return stretches;
}
