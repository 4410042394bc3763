// Says when quiet hours end and when the next digest is due, in the recipient's time zone (contract 12.3).
import { Temporal } from '../base/temporal.ts';

/** Times of the wall clock such as `22:00`; `to` before `from` is on the next day, and equal times are no quiet hours. */
export type QuietHours = { readonly from: string; readonly to: string };

/** The end of the quiet hours that `at` falls into; null outside of them. A time that the clock skips comes an hour later. */
export function quietUntil(at: Date, { from, to }: QuietHours, timeZone: string): Date | null {
  const local = localOf(at, timeZone);
  const clock = local.toPlainTime().toString({ smallestUnit: 'minute' });
  const isQuiet = from <= to ? from <= clock && clock < to : from <= clock || clock < to;
  return isQuiet ? next(at, to, local) : null;
}

/** The next time at which the wall clock shows `clock`, after `at`. */
export function nextAt(at: Date, clock: string, timeZone: string): Date {
  return next(at, clock, localOf(at, timeZone));
}

function localOf(at: Date, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone);
}

function next(at: Date, clock: string, local: Temporal.ZonedDateTime): Date {
  const day = local.toPlainDate();
  const onDay = (date: Temporal.PlainDate, disambiguation: 'compatible' | 'later'): Date =>
    new Date(
      date.toPlainDateTime(clock).toZonedDateTime(local.timeZoneId, { disambiguation }).toInstant().epochMilliseconds,
    );
  // The hour that the clock repeats in autumn has the time twice: the second one may still come.
  const candidates = [onDay(day, 'compatible'), onDay(day, 'later'), onDay(day.add({ days: 1 }), 'compatible')];
  return candidates.find((candidate) => candidate > at) ?? onDay(day.add({ days: 2 }), 'compatible');
}
