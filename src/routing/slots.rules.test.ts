import { describe, expect, it } from 'vitest';

import { localDay } from './local-day.rules.ts';
import type { Booking } from './offer.ts';
import { freeSlot, slotStarts } from './slots.rules.ts';

const base: Booking = {
  availability: [{ days: ['mon', 'wed'], fromMinute: 540, toMinute: 720 }],
  slotMinutes: 30,
  capacity: 1,
  noticeMinutes: 60,
  horizonDays: 7,
};

function starts(booking: Partial<Booking>, now: string, timeZone = 'America/Los_Angeles'): string[] {
  const at = new Date(now);
  return slotStarts({ ...base, ...booking }, localDay(at, timeZone), at.getTime()).map((start) =>
    new Date(start).toISOString(),
  );
}

describe('the bookable slots', () => {
  it('begin with the availability and follow one another', () => {
    // Sunday noon in Los Angeles.
    const found = starts({ horizonDays: 1 }, '2026-11-15T20:00:00Z');
    expect(found).toEqual([
      '2026-11-16T17:00:00.000Z',
      '2026-11-16T17:30:00.000Z',
      '2026-11-16T18:00:00.000Z',
      '2026-11-16T18:30:00.000Z',
      '2026-11-16T19:00:00.000Z',
      '2026-11-16T19:30:00.000Z',
    ]);
  });

  it('leave out starts sooner than the notice, and include a start exactly at it', () => {
    expect(starts({}, '2026-11-16T17:00:00Z')[0]).toBe('2026-11-16T18:00:00.000Z');
    expect(starts({}, '2026-11-16T17:00:00.001Z')[0]).toBe('2026-11-16T18:30:00.000Z');
  });

  it('end with the horizon, a start exactly at it included', () => {
    expect(starts({ horizonDays: 2 }, '2026-11-16T17:30:00Z').at(-1)).toBe('2026-11-18T17:30:00.000Z');
  });

  it('are whole: a remainder shorter than a slot is left out', () => {
    const availability = [{ days: ['mon'] as const, fromMinute: 540, toMinute: 640 }];
    expect(starts({ availability, horizonDays: 1 }, '2026-11-16T08:00:00Z')).toHaveLength(3);
  });

  it('follow the clocks of the zone over the change of time', () => {
    // Clocks go back on 1 November 2026: 9:00 is 16:00 UTC before and 17:00 UTC after.
    const availability = [{ days: ['sat', 'mon'] as const, fromMinute: 540, toMinute: 570 }];
    expect(starts({ availability, horizonDays: 8 }, '2026-10-31T12:00:00Z')).toEqual([
      '2026-10-31T16:00:00.000Z',
      '2026-11-02T17:00:00.000Z',
      '2026-11-07T17:00:00.000Z',
    ]);
  });
});

describe('the slot that a lead gets', () => {
  const free = (start: number): boolean => start !== 20;

  it.each([
    ['the requested one, if it is free', 30, 30],
    ['the first free one, if the requested one is taken', 20, 10],
    ['the first free one, if the requested time is not the start of a slot', 25, 10],
    ['the first free one without a request', null, 10],
  ])('is %s', (_, requested, expected) => {
    expect(freeSlot([10, 20, 30], { requested, isFree: free })).toBe(expected);
  });

  it('is none when all slots are taken', () => {
    expect(freeSlot([10, 20], { requested: 20, isFree: () => false })).toBeNull();
  });
});
