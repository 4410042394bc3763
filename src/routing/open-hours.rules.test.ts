import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { Temporal } from '../base/temporal.ts';
import { localDay } from './local-day.rules.ts';
import type { WeeklyHours } from './offer.ts';
import { weekdays } from './offer.schema.ts';
import { instantAtOpenTime, nextOpening, openSpans, openTime } from './open-hours.rules.ts';

const everyDay = (fromMinute: number, toMinute: number): WeeklyHours => ({ days: weekdays, fromMinute, toMinute });
const iso = (at: number | null): string | null =>
  at === null ? null : new Date(at).toISOString().replace('.000Z', 'Z');

/** As `from/until` in UTC. */
const spansOn = (hours: readonly WeeklyHours[] | null, at: string, timeZone: string): string[] =>
  openSpans(hours, localDay(new Date(at), timeZone)).map(({ from, until }) => `${iso(from)}/${iso(until)}`);

describe('The open spans of a day', () => {
  const NY = 'America/New_York';
  const common = '2026-11-18T12:00:00Z';
  test.each([
    {
      says: 'no hours are the whole day',
      hours: null,
      at: common,
      spans: ['2026-11-18T05:00:00Z/2026-11-19T05:00:00Z'],
    },
    {
      says: 'hours are those of the zone',
      hours: [everyDay(480, 1200)],
      at: common,
      spans: ['2026-11-18T13:00:00Z/2026-11-19T01:00:00Z'],
    },
    {
      says: '24:00 is the end of the day',
      hours: [everyDay(1380, 1440)],
      at: common,
      spans: ['2026-11-19T04:00:00Z/2026-11-19T05:00:00Z'],
    },
    {
      says: 'other days are no concern',
      hours: [{ ...everyDay(0, 1440), days: ['mon', 'tue', 'thu'] as const }],
      at: common,
      spans: [],
    },
    { says: 'hours that begin after they end are none', hours: [everyDay(1320, 120)], at: common, spans: [] },
    {
      says: 'several come in order',
      hours: [everyDay(780, 1020), everyDay(480, 720)],
      at: common,
      spans: ['2026-11-18T13:00:00Z/2026-11-18T17:00:00Z', '2026-11-18T18:00:00Z/2026-11-18T22:00:00Z'],
    },
    {
      says: 'those that touch or overlap are one',
      hours: [everyDay(480, 720), everyDay(720, 780), everyDay(600, 660), everyDay(770, 1020)],
      at: common,
      spans: ['2026-11-18T13:00:00Z/2026-11-18T22:00:00Z'],
    },
    {
      says: 'hours around a skipped hour lose it',
      hours: [everyDay(60, 240)],
      at: '2026-03-08T12:00:00Z',
      spans: ['2026-03-08T06:00:00Z/2026-03-08T08:00:00Z'],
    },
    {
      says: 'hours within a skipped hour are none',
      hours: [everyDay(120, 180)],
      at: '2026-03-08T12:00:00Z',
      spans: [],
    },
    {
      says: 'hours that begin in a skipped hour begin after it',
      hours: [everyDay(150, 240)],
      at: '2026-03-08T12:00:00Z',
      spans: ['2026-03-08T07:00:00Z/2026-03-08T08:00:00Z'],
    },
    {
      says: 'hours that end in a skipped hour end before it',
      hours: [everyDay(60, 150)],
      at: '2026-03-08T12:00:00Z',
      spans: ['2026-03-08T06:00:00Z/2026-03-08T07:00:00Z'],
    },
    {
      says: 'hours around an hour shown twice have it twice',
      hours: [everyDay(0, 180)],
      at: '2026-11-01T12:00:00Z',
      spans: ['2026-11-01T04:00:00Z/2026-11-01T08:00:00Z'],
    },
    {
      says: 'hours within an hour shown twice are open twice',
      hours: [everyDay(60, 90)],
      at: '2026-11-01T12:00:00Z',
      spans: ['2026-11-01T05:00:00Z/2026-11-01T05:30:00Z', '2026-11-01T06:00:00Z/2026-11-01T06:30:00Z'],
    },
    {
      says: 'the whole day is 25 hours where clocks are put back',
      hours: [everyDay(0, 1440)],
      at: '2026-11-01T12:00:00Z',
      spans: ['2026-11-01T04:00:00Z/2026-11-02T05:00:00Z'],
    },
  ])('$says', ({ hours, at, spans }) => {
    expect(spansOn(hours, at, NY)).toEqual(spans);
  });

  const zone = fc.constantFrom(
    'America/New_York',
    'America/Los_Angeles',
    'America/Havana',
    'Africa/Cairo',
    'Asia/Kolkata',
    'Australia/Lord_Howe',
    'Europe/Lisbon',
  );
  // Around the days on which clocks are changed, and any others.
  const day = fc.oneof(
    fc.constantFrom(
      '2026-03-08',
      '2026-11-01',
      '2026-03-29',
      '2026-10-25',
      '2026-04-24',
      '2026-10-29',
      '2026-04-05',
      '2026-10-04',
    ),
    fc.integer({ min: 0, max: 1000 }).map((days) => Temporal.PlainDate.from('2026-01-01').add({ days }).toString()),
  );
  const entry = fc
    .tuple(
      fc.uniqueArray(fc.integer({ min: 0, max: 1440 }), { minLength: 2, maxLength: 2 }),
      fc.subarray([...weekdays], { minLength: 1 }),
    )
    .map(([minutes, days]) => ({ days, fromMinute: Math.min(...minutes), toMinute: Math.max(...minutes) }));

  test('hold exactly those instants at which the zone’s clocks show one of the hours', () => {
    const minutes = fc.array(fc.integer({ min: 0, max: 25 * 60 }), { minLength: 20, maxLength: 20 });
    fc.assert(
      fc.property(
        zone,
        day,
        fc.array(entry, { minLength: 1, maxLength: 3 }),
        minutes,
        (timeZone, date, hours, offsets) => {
          const at = Temporal.PlainDate.from(date).toZonedDateTime(timeZone).epochMilliseconds;
          const spans = openSpans(hours, localDay(new Date(at), timeZone));
          for (const instant of offsets.map((offset) => at + offset * 60_000)) {
            const shown = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone);
            if (shown.toPlainDate().toString() !== date) continue;
            const minute = shown.hour * 60 + shown.minute;
            const weekday = weekdays[shown.dayOfWeek - 1] ?? 'mon';
            const isOpen = hours.some(
              ({ days, fromMinute, toMinute }) => days.includes(weekday) && fromMinute <= minute && minute < toMinute,
            );
            expect(spans.some(({ from, until }) => from <= instant && instant < until)).toBe(isOpen);
          }
        },
      ),
    );
  });

  test('are in order and never touch', () => {
    fc.assert(
      fc.property(zone, day, fc.array(entry, { maxLength: 6 }), (timeZone, date, hours) => {
        const spans = openSpans(hours, localDay(new Date(`${date}T12:00:00Z`), timeZone));
        for (const [index, span] of spans.entries()) {
          expect(span.from).toBeLessThan(span.until);
          expect(span.from).toBeGreaterThan(spans[index - 1]?.until ?? -Infinity);
        }
      }),
    );
  });
});

describe('The next opening', () => {
  const workWeek: WeeklyHours[] = [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], fromMinute: 480, toMinute: 1200 }];
  const lateNight: WeeklyHours[] = [
    { days: ['fri'], fromMinute: 1320, toMinute: 1440 },
    { days: ['sat'], fromMinute: 0, toMinute: 120 },
  ];
  const skipped: WeeklyHours[] = [{ days: ['sun'], fromMinute: 120, toMinute: 180 }];
  test.each([
    { says: 'is now while it is open', hours: workWeek, at: '2026-11-18T12:00:00Z', opens: '2026-11-18T12:00:00Z' },
    { says: 'is now at the first instant', hours: workWeek, at: '2026-11-18T08:00:00Z', opens: '2026-11-18T08:00:00Z' },
    {
      says: 'is later today before the hours',
      hours: workWeek,
      at: '2026-11-18T07:00:00Z',
      opens: '2026-11-18T08:00:00Z',
    },
    {
      says: 'is tomorrow at the last instant',
      hours: workWeek,
      at: '2026-11-18T20:00:00Z',
      opens: '2026-11-19T08:00:00Z',
    },
    { says: 'is Monday after Friday', hours: workWeek, at: '2026-11-20T20:00:00Z', opens: '2026-11-23T08:00:00Z' },
    {
      says: 'goes on over midnight where the hours do',
      hours: lateNight,
      at: '2026-11-21T00:00:00Z',
      opens: '2026-11-21T00:00:00Z',
    },
    {
      says: 'is in a week where they have just ended',
      hours: lateNight,
      at: '2026-11-21T02:00:00Z',
      opens: '2026-11-27T22:00:00Z',
    },
    { says: 'is always now without hours', hours: null, at: '2026-11-18T12:00:00Z', opens: '2026-11-18T12:00:00Z' },
    { says: 'is never where there are no hours', hours: [], at: '2026-11-18T12:00:00Z', opens: null },
  ])('$says', ({ hours, at, opens }) => {
    const now = new Date(at);
    expect(iso(nextOpening(hours, localDay(now, 'UTC'), now.getTime()))).toBe(opens);
  });

  test('passes over a week in which the clocks skip the hours', () => {
    const at = new Date('2026-03-01T08:00:00Z');
    expect(iso(nextOpening(skipped, localDay(at, 'America/New_York'), at.getTime()))).toBe('2026-03-15T06:00:00Z');
  });

  test('may be asked for an instant weeks after the day at hand', () => {
    const day = localDay(new Date('2026-11-18T12:00:00Z'), 'UTC');
    expect(iso(nextOpening(workWeek, day, Date.UTC(2026, 11, 31, 23)))).toBe('2027-01-01T08:00:00Z');
  });
});

describe('Open time', () => {
  // 4 and 4 hours.
  const spans = [
    { from: 8 * 3_600_000, until: 12 * 3_600_000 },
    { from: 13 * 3_600_000, until: 17 * 3_600_000 },
  ];
  test.each([
    [7, 0],
    [8, 0],
    [9.5, 1.5],
    [12, 4],
    [12.5, 4],
    [13, 4],
    [16, 7],
    [17, 8],
    [23, 8],
  ])('at %d o’clock counts %d hours', (hour, elapsed) => {
    expect(openTime(spans, hour * 3_600_000)).toEqual({ total: 8 * 3_600_000, elapsed: elapsed * 3_600_000 });
  });

  test.each([
    [0, 8],
    [1.5, 9.5],
    [4, 13],
    [7, 16],
    [8, null],
    [9, null],
  ])('of %d hours has passed at an open instant', (elapsed, hour) => {
    expect(instantAtOpenTime(spans, elapsed * 3_600_000)).toBe(hour === null ? null : hour * 3_600_000);
  });

  test('of a day without hours is none', () => {
    expect(openTime([], 5)).toEqual({ total: 0, elapsed: 0 });
    expect(instantAtOpenTime([], 0)).toBeNull();
  });
});
