// Decides when the invoices and statements of a month are issued by themselves (contract 6.20).
import { Temporal } from '../base/temporal.ts';

export type RunDay = {
  /** Of the partner or supplier. */
  readonly timeZone: string;
  /** The day of the month, 1 to 28. */
  readonly runOn: number;
};

/** The calendar month of the instant in UTC, as `YYYY-MM`. */
export function monthOf(now: Date): string {
  return now.toISOString().slice(0, 7);
}

/** The months from the first to the last, both included, in order; none if the first is later. */
export function monthsUpTo(first: string, last: string): string[] {
  const months: string[] = [];
  for (let month = Temporal.PlainYearMonth.from(first); month.toString() <= last; month = month.add({ months: 1 })) {
    months.push(month.toString());
  }
  return months;
}

/** Whether the run day in the month after `month` has begun in the time zone. */
export function isRunDue(month: string, { timeZone, runOn }: RunDay, now: Date): boolean {
  const day = Temporal.PlainYearMonth.from(month).add({ months: 1 }).toPlainDate({ day: runOn });
  // Not always midnight, because some clock changes skip it.
  return day.toZonedDateTime({ timeZone }).epochMilliseconds <= now.getTime();
}

/** The next run day after the instant as `YYYY-MM-DD`; each time zone begins it at its own midnight. */
export function nextRunDay(runOn: number, now: Date): string {
  const month = Temporal.PlainYearMonth.from(monthOf(now));
  const today = now.toISOString().slice(0, 10);
  const day = month.toPlainDate({ day: runOn }).toString();
  return day > today ? day : month.add({ months: 1 }).toPlainDate({ day: runOn }).toString();
}
