import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { clockText, localDay, cachedLocalDays } from './local-day.rules.ts';

const HOUR_MS = 3_600_000;

describe('a local day', () => {
  it.each([
    {
      day: 'a common day',
      zone: 'America/New_York',
      at: '2026-11-18T12:00:00Z',
      weekday: 'wed',
      hours: 24,
      stretches: 1,
    },
    {
      day: 'clocks put forward',
      zone: 'America/New_York',
      at: '2026-03-08T12:00:00Z',
      weekday: 'sun',
      hours: 23,
      stretches: 2,
    },
    {
      day: 'clocks put back',
      zone: 'America/New_York',
      at: '2026-11-01T12:00:00Z',
      weekday: 'sun',
      hours: 25,
      stretches: 2,
    },
    {
      day: 'half an hour back',
      zone: 'Australia/Lord_Howe',
      at: '2026-04-05T00:00:00Z',
      weekday: 'sun',
      hours: 24.5,
      stretches: 2,
    },
    // The clocks go from 24:00 back to 23:00, so that the day before is the longer one.
    {
      day: 'put back at midnight',
      zone: 'Africa/Cairo',
      at: '2026-10-29T12:00:00Z',
      weekday: 'thu',
      hours: 25,
      stretches: 2,
    },
    {
      day: 'put forward at midnight',
      zone: 'Africa/Cairo',
      at: '2026-04-24T12:00:00Z',
      weekday: 'fri',
      hours: 23,
      stretches: 1,
    },
    { day: 'no changes at all', zone: 'UTC', at: '2026-03-29T12:00:00Z', weekday: 'sun', hours: 24, stretches: 1 },
  ])('of $zone has $hours hours: $day', ({ zone, at, weekday, hours, stretches }) => {
    const day = localDay(new Date(at), zone);
    expect(day.weekday).toBe(weekday);
    expect((day.until - day.from) / HOUR_MS).toBe(hours);
    expect(day.stretches).toHaveLength(stretches);
  });

  it('begins when the clocks show another date, even if they never show 00:00', () => {
    expect(new Date(localDay(new Date('2026-11-18T12:00:00Z'), 'America/Los_Angeles').from).toISOString()).toBe(
      '2026-11-18T08:00:00.000Z',
    );
    // 01:00 in Cairo, right after 23:59.
    expect(new Date(localDay(new Date('2026-04-24T12:00:00Z'), 'Africa/Cairo').from).toISOString()).toBe(
      '2026-04-23T22:00:00.000Z',
    );
  });

  const zone = fc.constantFrom(
    'America/New_York',
    'America/St_Johns',
    'America/Havana',
    'Africa/Cairo',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
    'Pacific/Auckland',
    'UTC',
  );
  const instant = fc.date({ min: new Date('2026-01-01'), max: new Date('2029-01-01'), noInvalidDate: true });

  it('contains its instant, consists of its stretches, and is followed by the next without a gap', () => {
    fc.assert(
      fc.property(zone, instant, (timeZone, at) => {
        const day = localDay(at, timeZone);
        expect(day.from <= at.getTime() && at.getTime() < day.until).toBe(true);
        const ends = day.stretches.flatMap(({ from, until }) => [from, until]);
        expect([ends[0], ends.at(-1)]).toEqual([day.from, day.until]);
        expect(day.stretches.slice(1).map(({ from }) => from)).toEqual(
          day.stretches.slice(0, -1).map(({ until }) => until),
        );
        expect(day.next().from).toBe(day.until);
        const { next: _, ...found } = localDay(new Date(day.until), timeZone);
        expect(day.next()).toMatchObject(found);
      }),
    );
  });

  it('gives weekday and local time', () => {
    fc.assert(
      fc.property(zone, instant, (timeZone, at) => {
        const parts = new Intl.DateTimeFormat('en-GB', {
          timeZone,
          weekday: 'short',
          hour: '2-digit',
          minute: '2-digit',
          hourCycle: 'h23',
        }).formatToParts(at);
        const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? '';
        expect(clockText(localDay(at, timeZone), at.getTime())).toBe(
          `${part('weekday').toLowerCase()} ${part('hour')}:${part('minute')}`,
        );
      }),
    );
  });

  it('is cached until it ends', () => {
    const dayOf = cachedLocalDays();
    const day = dayOf(new Date('2026-11-18T12:00:00Z'), 'UTC');
    expect(dayOf(new Date('2026-11-18T23:59:59.999Z'), 'UTC')).toBe(day);
    expect(dayOf(new Date('2026-11-18T12:00:00Z'), 'Asia/Tokyo')).not.toBe(day);
    expect(dayOf(new Date('2026-11-19T00:00:00Z'), 'UTC').weekday).toBe('thu');
    expect(dayOf(new Date('2026-11-18T00:00:00Z'), 'UTC').weekday).toBe('wed');
  });
});
