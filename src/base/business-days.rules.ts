// Calculates business days: Monday to Friday without the observed US federal holidays and the operator's own holidays (contract 6.7).
import { strict as assert } from 'node:assert';

import { Temporal } from './temporal.ts';

type Day = Temporal.PlainDate;
type HolidayRule = { readonly since: number; readonly on: (year: number) => Day };

const MONDAY = 1;
const THURSDAY = 4;
const SATURDAY = 6;
const SUNDAY = 7;

const SECOND_MS = 1000;

// The days of 5 U.S.C. 6103 with the first year of each; Inauguration Day is local and not included.
const RULES: readonly HolidayRule[] = [
  { since: 1971, on: fixed(1, 1) }, // New Year's Day
  { since: 1986, on: nth(3, MONDAY, 1) }, // Birthday of Martin Luther King, Jr.
  { since: 1971, on: nth(3, MONDAY, 2) }, // Washington's Birthday
  { since: 1971, on: last(MONDAY, 5) }, // Memorial Day
  { since: 2021, on: fixed(6, 19) }, // Juneteenth National Independence Day
  { since: 1971, on: fixed(7, 4) }, // Independence Day
  { since: 1971, on: nth(1, MONDAY, 9) }, // Labor Day
  { since: 1971, on: nth(2, MONDAY, 10) }, // Columbus Day
  { since: 1978, on: fixed(11, 11) }, // Veterans Day
  { since: 1971, on: nth(4, THURSDAY, 11) }, // Thanksgiving Day
  { since: 1971, on: fixed(12, 25) }, // Christmas Day
];

// Cached, because the rules never change and every delivery on display needs the same two or three years.
const observedByYear = new Map<number, ReadonlySet<string>>();

/**
 * The days on which the federal holidays are observed in a calendar year, `YYYY-MM-DD` in order: Friday for a Saturday, Monday
 * for a Sunday. New Year's Day of the next year is included, as 31 December, when it is a Saturday.
 */
export function federalHolidays(year: number): readonly string[] {
  return [...observedIn(year)];
}

/** Days are `YYYY-MM-DD`; `extraHolidays` are added to the federal ones. */
export function isBusinessDay(day: string, extraHolidays: readonly string[]): boolean {
  return isOpen(Temporal.PlainDate.from(day), extraHolidays);
}

/** The n-th business day after `day`, which is not counted; with n 0 the day itself, open or not. */
export function addBusinessDays(day: string, n: number, extraHolidays: readonly string[]): string {
  return nthOpenDayAfter(Temporal.PlainDate.from(day), n, extraHolidays).toString();
}

/**
 * The last second of the `days`-th business day after an instant, as the instant at which that second begins (…:59.000). The day
 * of `start` in the IANA zone is day 0. The second belongs to the window: see `isWindowOver`.
 */
export function endOfBusinessWindow(window: {
  readonly start: Date;
  readonly days: number;
  readonly timeZone: string;
  readonly holidays: readonly string[];
}): Date {
  const { start, days, timeZone, holidays } = window;
  const dayZero = Temporal.Instant.fromEpochMilliseconds(start.getTime()).toZonedDateTimeISO(timeZone).toPlainDate();
  const dayAfter = nthOpenDayAfter(dayZero, days, holidays).add({ days: 1 });
  // The day's first instant, which is not midnight where clocks skip it.
  return new Date(dayAfter.toZonedDateTime({ timeZone }).epochMilliseconds - SECOND_MS);
}

/** Whether the window of `endOfBusinessWindow` is over: true from the first instant of the following day. */
export function isWindowOver(lastSecond: Date, now: Date): boolean {
  return now.getTime() >= lastSecond.getTime() + SECOND_MS;
}

function nthOpenDayAfter(day: Day, n: number, extraHolidays: readonly string[]): Day {
  assert(Number.isSafeInteger(n) && n >= 0, 'business days are counted forward in whole days');
  let reached = day;
  let left = n;
  while (left > 0) {
    reached = reached.add({ days: 1 });
    if (isOpen(reached, extraHolidays)) left -= 1;
  }
  return reached;
}

function isOpen(day: Day, extraHolidays: readonly string[]): boolean {
  if (day.dayOfWeek >= SATURDAY) return false;
  const name = day.toString();
  return !observedIn(day.year).has(name) && !extraHolidays.includes(name);
}

function observedIn(year: number): ReadonlySet<string> {
  const known = observedByYear.get(year);
  if (known !== undefined) return known;
  const days = [year, year + 1]
    .flatMap((of) => RULES.filter((rule) => rule.since <= of).map((rule) => observed(rule.on(of))))
    .filter((day) => day.year === year)
    .map((day) => day.toString());
  const sorted = new Set(days.toSorted());
  observedByYear.set(year, sorted);
  return sorted;
}

function observed(holiday: Day): Day {
  if (holiday.dayOfWeek === SATURDAY) return holiday.subtract({ days: 1 });
  return holiday.dayOfWeek === SUNDAY ? holiday.add({ days: 1 }) : holiday;
}

function fixed(month: number, day: number): HolidayRule['on'] {
  return (year) => Temporal.PlainDate.from({ year, month, day });
}

/** The n-th such weekday of the month. */
function nth(n: number, weekday: number, month: number): HolidayRule['on'] {
  return (year) => {
    const first = Temporal.PlainDate.from({ year, month, day: 1 });
    return first.add({ days: ((weekday - first.dayOfWeek + 7) % 7) + (n - 1) * 7 });
  };
}

/** The last such weekday of the month. */
function last(weekday: number, month: number): HolidayRule['on'] {
  return (year) => {
    const end = Temporal.PlainDate.from({ year, month, day: 1 }).add({ months: 1 }).subtract({ days: 1 });
    return end.subtract({ days: (end.dayOfWeek - weekday + 7) % 7 });
  };
}
