// The days of a zone as its own calendar counts them, with the stretches of one UTC offset that they consist of: what weekly hours
// are laid upon, so that a change of clocks is the calendar's affair and not ours (contract 4.5).
import { Temporal } from '../base/temporal.ts';
import type { Span } from '../base/time.ts';
import { clockTime } from './offer-form.rules.ts';
import { type Weekday, weekdays } from './offer.schema.ts';

/** From the first instant that the zone's clocks call by this date to the first of the next: 23 to 25 hours long. */
export type LocalDay = Span & {
  readonly weekday: Weekday;
  /** In order and without a gap: one, or two on a day on which the clocks are changed. */
  readonly stretches: readonly Stretch[];
  next(): LocalDay;
};

/** The clocks show minute m of the day at `midnight + m` minutes, as far as that lies within. */
export type Stretch = Span & { readonly midnight: number };

export type LocalDayOf = (at: Date, timeZone: string) => LocalDay;

/** With a memory: a zone's day is the same for all offers of a batch, and calendar arithmetic is dear. */
export function rememberLocalDays(): LocalDayOf {
  const known = new Map<string, LocalDay>();
  return (at, timeZone) => {
    const found = known.get(timeZone);
    if (found !== undefined && found.from <= at.getTime() && at.getTime() < found.until) return found;
    const day = localDay(at, timeZone);
    known.set(timeZone, day);
    return day;
  };
}

/** The day of the zone that holds `at`. */
export function localDay(at: Date, timeZone: string): LocalDay {
  const date = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone).toPlainDate();
  return dayOf(date, timeZone);
}

/** What the zone's clocks show at an instant of the day, such as `sat 21:15`. */
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
    // Between equal offsets there was no change: no zone changes its clocks twice a day.
    const change = from.offsetNanoseconds === end.offsetNanoseconds ? null : from.getTimeZoneTransition('next');
    const until = change !== null && change.epochMilliseconds < end.epochMilliseconds ? change : end;
    const midnight = midnightInUtc - from.offsetNanoseconds / 1_000_000;
    stretches.push({ from: from.epochMilliseconds, until: until.epochMilliseconds, midnight });
    from = until;
  }
  return stretches;
}
