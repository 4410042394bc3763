import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

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

describe('the open spans of a day', () => {
  const NY = 'America/New_York';
  const common = '2026-11-18T12:00:00Z';
  it.each([
    {
      says: 'are the whole day without hours',
      hours: null,
      at: common,
      spans: ['2026-11-18T05:00:00Z/2026-11-19T05:00:00Z'],
    },
    {
      says: 'follow the clocks of the zone',
      hours: [everyDay(480, 1200)],
      at: common,
      spans: ['2026-11-18T13:00:00Z/2026-11-19T01:00:00Z'],
    },
    {
      says: 'end with the day at 24:00',
      hours: [everyDay(1380, 1440)],
      at: common,
      spans: ['2026-11-19T04:00:00Z/2026-11-19T05:00:00Z'],
    },
    {
      says: 'leave out the hours of other days',
      hours: [{ ...everyDay(0, 1440), days: ['mon', 'tue', 'thu'] as const }],
      at: common,
      spans: [],
    },
    { says: 'are none for hours that begin after they end', hours: [everyDay(1320, 120)], at: common, spans: [] },
    {
      says: 'come in order',
      hours: [everyDay(780, 1020), everyDay(480, 720)],
      at: common,
      spans: ['2026-11-18T13:00:00Z/2026-11-18T17:00:00Z', '2026-11-18T18:00:00Z/2026-11-18T22:00:00Z'],
    },
    {
      says: 'merge hours that touch or overlap',
      hours: [everyDay(480, 720), everyDay(720, 780), everyDay(600, 660), everyDay(770, 1020)],
      at: common,
      spans: ['2026-11-18T13:00:00Z/2026-11-18T22:00:00Z'],
    },
    {
      says: 'lose a skipped hour within the hours',
      hours: [everyDay(60, 240)],
      at: '2026-03-08T12:00:00Z',
      spans: ['2026-03-08T06:00:00Z/2026-03-08T08:00:00Z'],
    },
    {
      says: 'are none for hours within a skipped hour',
      hours: [everyDay(120, 180)],
      at: '2026-03-08T12:00:00Z',
      spans: [],
    },
    {
      says: 'begin after a skipped hour in which the hours begin',
      hours: [everyDay(150, 240)],
      at: '2026-03-08T12:00:00Z',
      spans: ['2026-03-08T07:00:00Z/2026-03-08T08:00:00Z'],
    },
    {
      says: 'end before a skipped hour in which the hours end',
      hours: [everyDay(60, 150)],
      at: '2026-03-08T12:00:00Z',
      spans: ['2026-03-08T06:00:00Z/2026-03-08T07:00:00Z'],
    },
    {
      says: 'contain an hour shown twice both times',
      hours: [everyDay(0, 180)],
      at: '2026-11-01T12:00:00Z',
      spans: ['2026-11-01T04:00:00Z/2026-11-01T08:00:00Z'],
    },
    {
      says: 'open twice for hours within an hour shown twice',
      hours: [everyDay(60, 90)],
      at: '2026-11-01T12:00:00Z',
      spans: ['2026-11-01T05:00:00Z/2026-11-01T05:30:00Z', '2026-11-01T06:00:00Z/2026-11-01T06:30:00Z'],
    },
    {
      says: 'last 25 hours on a whole day on which the clocks go back',
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

  it('contain exactly the instants at which the zone’s clocks show one of the hours', () => {
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

  it('are in order and never touch', () => {
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

describe('the next opening', () => {
  const workWeek: WeeklyHours[] = [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], fromMinute: 480, toMinute: 1200 }];
  const lateNight: WeeklyHours[] = [
    { days: ['fri'], fromMinute: 1320, toMinute: 1440 },
    { days: ['sat'], fromMinute: 0, toMinute: 120 },
  ];
  const skipped: WeeklyHours[] = [{ days: ['sun'], fromMinute: 120, toMinute: 180 }];
  it.each([
    { says: 'is now while it is open', hours: workWeek, at: '2026-11-18T12:00:00Z', opens: '2026-11-18T12:00:00Z' },
    { says: 'is now at the first instant', hours: workWeek, at: '2026-11-18T08:00:00Z', opens: '2026-11-18T08:00:00Z' },
    {
      says: 'is later on the same day before the hours',
      hours: workWeek,
      at: '2026-11-18T07:00:00Z',
      opens: '2026-11-18T08:00:00Z',
    },
    {
      says: 'is on the next day at the end of the hours',
      hours: workWeek,
      at: '2026-11-18T20:00:00Z',
      opens: '2026-11-19T08:00:00Z',
    },
    { says: 'is Monday after Friday', hours: workWeek, at: '2026-11-20T20:00:00Z', opens: '2026-11-23T08:00:00Z' },
    {
      says: 'is now when the hours go on over midnight',
      hours: lateNight,
      at: '2026-11-21T00:00:00Z',
      opens: '2026-11-21T00:00:00Z',
    },
    {
      says: 'is in a week when the only hours have just ended',
      hours: lateNight,
      at: '2026-11-21T02:00:00Z',
      opens: '2026-11-27T22:00:00Z',
    },
    { says: 'is now without hours', hours: null, at: '2026-11-18T12:00:00Z', opens: '2026-11-18T12:00:00Z' },
    { says: 'is never with an empty list of hours', hours: [], at: '2026-11-18T12:00:00Z', opens: null },
  ])('$says', ({ hours, at, opens }) => {
    const now = new Date(at);
    expect(iso(nextOpening(hours, localDay(now, 'UTC'), now.getTime()))).toBe(opens);
  });

  it('skips a week in which the clocks skip the hours', () => {
    const at = new Date('2026-03-01T08:00:00Z');
    expect(iso(nextOpening(skipped, localDay(at, 'America/New_York'), at.getTime()))).toBe('2026-03-15T06:00:00Z');
  });

  it('is found for an instant weeks after the given day', () => {
    const day = localDay(new Date('2026-11-18T12:00:00Z'), 'UTC');
    expect(iso(nextOpening(workWeek, day, Date.UTC(2026, 11, 31, 23)))).toBe('2027-01-01T08:00:00Z');
  });
});

describe('open time', () => {
  // 4 and 4 hours.
  const spans = [
    { from: 8 * 3_600_000, until: 12 * 3_600_000 },
    { from: 13 * 3_600_000, until: 17 * 3_600_000 },
  ];
  it.each([
    [7, 0],
    [8, 0],
    [9.5, 1.5],
    [12, 4],
    [12.5, 4],
    [13, 4],
    [16, 7],
    [17, 8],
    [23, 8],
  ])('at %d o’clock is %d hours', (hour, elapsed) => {
    expect(openTime(spans, hour * 3_600_000)).toEqual({ total: 8 * 3_600_000, elapsed: elapsed * 3_600_000 });
  });

  it.each([
    [0, 8],
    [1.5, 9.5],
    [4, 13],
    [7, 16],
    [8, null],
    [9, null],
  ])('of %d hours has passed at the right open instant', (elapsed, hour) => {
    expect(instantAtOpenTime(spans, elapsed * 3_600_000)).toBe(hour === null ? null : hour * 3_600_000);
  });

  it('of a day without hours is zero', () => {
    expect(openTime([], 5)).toEqual({ total: 0, elapsed: 0 });
    expect(instantAtOpenTime([], 0)).toBeNull();
  });
});
