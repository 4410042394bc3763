// Calculates days and cap windows: UTC days for lists and statistics; days, weeks and months in a partner's time zone for caps
// (contract 1.1, 4.5).
import { Temporal } from './temporal.ts';

export type CapWindow = 'daily' | 'weekly' | 'monthly';
export const capWindows: readonly CapWindow[] = ['daily', 'weekly', 'monthly'];

/** Milliseconds since 1970, half open: from ≤ t < until. */
export type Span = { readonly from: number; readonly until: number };

export const DAY_MS = 86_400_000;

/** `2026-11-20` for the UTC day of an instant. */
export function utcDay(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/** The strict `YYYY-MM-DD` of a real day → its first instant in UTC; null for anything else. */
export function startOfUtcDay(text: string): Date | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (match === null) return null;
  const start = new Date(`${text}T00:00:00.000Z`);
  // Date.parse takes 30 February for 2 March; a real day reads back as written.
  return Number.isNaN(start.getTime()) || utcDay(start) !== text ? null : start;
}

/** `2026-11-20` for the date of an instant in the IANA zone. */
export function localDate(at: Date, timeZone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone).toPlainDate().toString();
}

/** A calendar day, `YYYY-MM-DD`, in the IANA zone: 23 to 25 hours when its clocks change. */
export function dayInZone(day: string, timeZone: string): Span {
  const date = Temporal.PlainDate.from(day);
  const startOf = (one: Temporal.PlainDate): number => one.toZonedDateTime({ timeZone }).epochMilliseconds;
  return { from: startOf(date), until: startOf(date.add({ days: 1 })) };
}

/** The cap window that contains `at` in the IANA zone; counters identify the window by its start. */
export function capSpan(window: CapWindow, at: Date, timeZone: string): Span {
  const day = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone).toPlainDate();
  const first =
    window === 'daily' ? day : window === 'weekly' ? day.subtract({ days: day.dayOfWeek - 1 }) : day.with({ day: 1 });
  const next =
    window === 'daily'
      ? first.add({ days: 1 })
      : window === 'weekly'
        ? first.add({ days: 7 })
        : first.add({ months: 1 });
  const startOf = (date: Temporal.PlainDate): number => date.toZonedDateTime({ timeZone }).epochMilliseconds;
  return { from: startOf(first), until: startOf(next) };
}
