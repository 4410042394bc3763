import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  addBusinessDays,
  endOfBusinessWindow,
  federalHolidays,
  isBusinessDay,
  isWindowOver,
} from './business-days.rules.ts';
import { DAY_MS } from './time.ts';

describe('Federal holidays', () => {
  it.each([
    // As the Office of Personnel Management has published them.
    [2020, '01-01 01-20 02-17 05-25 07-03 09-07 10-12 11-11 11-26 12-25'],
    [2021, '01-01 01-18 02-15 05-31 06-18 07-05 09-06 10-11 11-11 11-25 12-24 12-31'],
    [2022, '01-17 02-21 05-30 06-20 07-04 09-05 10-10 11-11 11-24 12-26'],
    [2023, '01-02 01-16 02-20 05-29 06-19 07-04 09-04 10-09 11-10 11-23 12-25'],
    [2024, '01-01 01-15 02-19 05-27 06-19 07-04 09-02 10-14 11-11 11-28 12-25'],
    [2025, '01-01 01-20 02-17 05-26 06-19 07-04 09-01 10-13 11-11 11-27 12-25'],
    [2026, '01-01 01-19 02-16 05-25 06-19 07-03 09-07 10-12 11-11 11-26 12-25'],
    [2027, '01-01 01-18 02-15 05-31 06-18 07-05 09-06 10-11 11-11 11-25 12-24 12-31'],
    [2028, '01-17 02-21 05-29 06-19 07-04 09-04 10-09 11-10 11-23 12-25'],
    [2029, '01-01 01-15 02-19 05-28 06-19 07-04 09-03 10-08 11-12 11-22 12-25'],
    [2030, '01-01 01-21 02-18 05-27 06-19 07-04 09-02 10-14 11-11 11-28 12-25'],
  ])('of %i are observed on their days', (year, days) => {
    expect(federalHolidays(year)).toEqual(days.split(' ').map((day) => `${year}-${day}`));
  });
});

describe('A business day', () => {
  it.each([
    ['2026-11-20', true, 'a Friday'],
    ['2026-11-21', false, 'a Saturday'],
    ['2026-11-22', false, 'a Sunday'],
    ['2026-11-26', false, 'Thanksgiving'],
    ['2026-11-27', true, 'the day after Thanksgiving'],
    ['2026-07-03', false, 'the Friday for a Saturday holiday'],
    ['2027-07-05', false, 'the Monday for a Sunday holiday'],
    ['2027-12-31', false, 'next year’s New Year’s Day, observed on the last day of this one'],
    ['2026-06-19', false, 'Juneteenth'],
    ['2020-06-19', true, 'a 19 June before there was Juneteenth'],
    ['2026-12-24', false, 'a day off of the operator’s own'],
    ['2025-12-24', true, 'the same day in a year that the operator did not name'],
  ])('%s: %s (%s)', (day, is) => {
    expect(isBusinessDay(day, ['2026-12-24'])).toBe(is);
  });
});

describe('Counting business days', () => {
  it.each([
    ['2026-11-16', 0, '2026-11-16', 'nothing is the day itself'],
    ['2026-11-21', 0, '2026-11-21', 'nothing is the day itself on a Saturday, too'],
    ['2026-11-16', 1, '2026-11-17', 'within a week'],
    ['2026-11-16', 5, '2026-11-23', 'over a weekend'],
    ['2026-11-20', 1, '2026-11-23', 'from a Friday'],
    ['2026-11-21', 1, '2026-11-23', 'from a Saturday'],
    ['2026-11-22', 1, '2026-11-23', 'from a Sunday'],
    ['2026-11-21', 5, '2026-11-30', 'over Thanksgiving'],
    ['2026-11-26', 5, '2026-12-03', 'from a holiday'],
    ['2026-12-21', 5, '2026-12-30', 'over Christmas and the operator’s day before it'],
    ['2026-12-31', 1, '2027-01-04', 'into a new year'],
    ['2027-12-30', 1, '2028-01-03', 'past a New Year’s Day that is observed in the old year'],
    ['2028-02-28', 2, '2028-03-01', 'through a leap day'],
    ['2027-02-26', 1, '2027-03-01', 'past the end of a short month'],
  ])('from %s by %i is %s: %s', (day, n, reached) => {
    expect(addBusinessDays(day, n, ['2026-12-24'])).toBe(reached);
  });

  it.each([-1, 1.5, Number.NaN])('by %d throws', (n) => {
    expect(() => addBusinessDays('2026-11-16', n, [])).toThrow('counted forward');
  });

  it('agrees with a calendar that is crossed off day by day', () => {
    fc.assert(
      fc.property(anyDay, fc.nat({ max: 40 }), fc.array(anyDay, { maxLength: 20 }), (day, n, extra) => {
        expect(addBusinessDays(day, n, extra)).toBe(crossedOff(day, n, extra));
      }),
    );
  });
});

describe('The end of a window', () => {
  it.each([
    ['America/Los_Angeles', '2026-11-16T18:00:00.000Z', 5, '2026-11-24T07:59:59.000Z', 'Monday to Monday, in winter'],
    ['America/Los_Angeles', '2026-07-13T18:00:00.000Z', 5, '2026-07-21T06:59:59.000Z', 'Monday to Monday, in summer'],
    [
      'America/Los_Angeles',
      '2026-11-17T07:59:59.999Z',
      1,
      '2026-11-18T07:59:59.000Z',
      'the last moment of a Monday there',
    ],
    [
      'America/Los_Angeles',
      '2026-11-17T08:00:00.000Z',
      1,
      '2026-11-19T07:59:59.000Z',
      'the first moment of a Tuesday there',
    ],
    ['America/New_York', '2026-03-06T17:00:00.000Z', 5, '2026-03-14T03:59:59.000Z', 'into daylight saving time'],
    ['America/New_York', '2026-10-30T16:00:00.000Z', 1, '2026-11-03T04:59:59.000Z', 'out of daylight saving time'],
    ['America/New_York', '2026-03-08T06:59:59.000Z', 0, '2026-03-09T03:59:59.000Z', 'on the day of 23 hours'],
    ['America/New_York', '2026-11-01T05:30:00.000Z', 0, '2026-11-02T04:59:59.000Z', 'on the day of 25 hours'],
    [
      'America/New_York',
      '2026-11-21T15:00:00.000Z',
      5,
      '2026-12-01T04:59:59.000Z',
      'delivered on a Saturday, over Thanksgiving',
    ],
    ['America/New_York', '2026-11-26T15:00:00.000Z', 5, '2026-12-04T04:59:59.000Z', 'delivered on a holiday'],
    ['Pacific/Honolulu', '2026-11-21T09:59:59.000Z', 1, '2026-11-24T09:59:59.000Z', 'still Friday in Honolulu'],
    ['Pacific/Guam', '2026-11-20T14:00:00.000Z', 1, '2026-11-23T13:59:59.000Z', 'already Saturday on Guam'],
    ['America/Phoenix', '2026-03-06T17:00:00.000Z', 5, '2026-03-14T06:59:59.000Z', 'where clocks stay as they are'],
    ['UTC', '2026-12-31T23:59:59.999Z', 1, '2027-01-04T23:59:59.000Z', 'into a new year'],
    [
      'Africa/Cairo',
      '2026-04-22T10:00:00.000Z',
      1,
      '2026-04-23T21:59:59.000Z',
      'before a day whose midnight the clocks skip',
    ],
  ])('in %s from %s by %i is %s: %s', (timeZone, start, days, end) => {
    const window = { start: new Date(start), days, timeZone, holidays: [] };
    expect(endOfBusinessWindow(window).toISOString()).toBe(end);
  });

  it('is the last second of the right day on the wall clocks of every zone', () => {
    fc.assert(
      fc.property(
        anyInstant,
        fc.nat({ max: 15 }),
        anyZone,
        fc.array(anyDay, { maxLength: 10 }),
        (at, days, zone, holidays) => {
          const end = endOfBusinessWindow({ start: at, days, timeZone: zone, holidays });
          const day = crossedOff(wallClock(at, zone).day, days, holidays);
          expect(wallClock(end, zone)).toEqual({ day, time: '23:59:59' });
          expect(wallClock(new Date(end.getTime() + 1000), zone).day).toBe(nextDay(day));
        },
      ),
    );
  });

  it.each([
    ['2026-11-24T07:59:58.999Z', false],
    ['2026-11-24T07:59:59.000Z', false],
    ['2026-11-24T07:59:59.999Z', false],
    ['2026-11-24T08:00:00.000Z', true],
    ['2026-11-24T08:00:00.001Z', true],
  ])('lasts through its last second: at %s it is over: %s', (now, over) => {
    expect(isWindowOver(new Date('2026-11-24T07:59:59.000Z'), new Date(now))).toBe(over);
  });
});

const anyInstant = fc.date({
  min: new Date('2015-01-01T00:00:00Z'),
  max: new Date('2045-12-31T00:00:00Z'),
  noInvalidDate: true,
});
const anyDay = anyInstant.map((at) => at.toISOString().slice(0, 10));
const anyZone = fc.constantFrom(
  'UTC',
  'America/New_York',
  'America/Los_Angeles',
  'America/Phoenix',
  'America/Havana',
  'America/St_Johns',
  'America/Sao_Paulo',
  'Pacific/Honolulu',
  'Pacific/Kiritimati',
  'Asia/Kathmandu',
  'Asia/Beirut',
  'Africa/Cairo',
  'Europe/London',
  'Australia/Lord_Howe',
);

function nextDay(day: string): string {
  return new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
}

/** One day after the other, each looked up in the published words of the rules rather than computed from them. */
function crossedOff(start: string, n: number, extra: readonly string[]): string {
  let day = start;
  for (let left = n; left > 0;) {
    day = nextDay(day);
    if (weekday(day) <= 5 && !isObservedHoliday(day) && !extra.includes(day)) left -= 1;
  }
  return day;
}

function weekday(day: string): number {
  return new Date(day).getUTCDay() || 7;
}

function isObservedHoliday(day: string): boolean {
  if (isHoliday(day)) return true;
  const before = new Date(Date.parse(day) - DAY_MS).toISOString().slice(0, 10);
  return (
    (weekday(day) === 5 && isHoliday(nextDay(day))) ||
    (weekday(day) === 1 && weekday(before) === 7 && isHoliday(before))
  );
}

function isHoliday(day: string): boolean {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  const week = Math.ceil(date / 7);
  const isLastWeek = date + 7 > 31;
  return (
    ['01-01', '07-04', '11-11', '12-25'].includes(day.slice(5)) ||
    (day.endsWith('06-19') && year >= 2021) ||
    (weekday(day) === 1 && month === 1 && week === 3) ||
    (weekday(day) === 1 && month === 2 && week === 3) ||
    (weekday(day) === 1 && month === 5 && isLastWeek) ||
    (weekday(day) === 1 && month === 9 && week === 1) ||
    (weekday(day) === 1 && month === 10 && week === 2) ||
    (weekday(day) === 4 && month === 11 && week === 4)
  );
}

function wallClock(at: Date, timeZone: string): { day: string; time: string } {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  const [day = '', time = ''] = format.format(at).split(' ');
  return { day, time };
}
