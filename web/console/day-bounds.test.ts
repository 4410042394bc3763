import { describe, expect, it } from 'vitest';

import { endOfDay, startOfDay } from './day-bounds.ts';

describe('the bounds of a day', () => {
  it.each([
    ['2026-11-20', 'UTC', '2026-11-20T00:00:00.000Z', '2026-11-21T00:00:00.000Z'],
    ['2026-11-20', 'America/Los_Angeles', '2026-11-20T08:00:00.000Z', '2026-11-21T08:00:00.000Z'],
    // The day on which daylight saving time ends has 25 hours, the one on which it begins 23.
    ['2026-11-01', 'America/New_York', '2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z'],
    ['2026-03-08', 'America/New_York', '2026-03-08T05:00:00.000Z', '2026-03-09T04:00:00.000Z'],
    ['2026-12-31', 'Asia/Kolkata', '2026-12-30T18:30:00.000Z', '2026-12-31T18:30:00.000Z'],
  ])('of %s in %s are right', (day, zone, from, until) => {
    expect([startOfDay(day, zone), endOfDay(day, zone)]).toEqual([from, until]);
  });
  it('are empty for no day', () => {
    expect([startOfDay('', 'UTC'), endOfDay('', 'UTC')]).toEqual(['', '']);
  });

  it.each([
    ['2026-11-21', 'UTC', '2026-11-21T00:00:00.000Z'],
    ['2026-11-21', 'America/Los_Angeles', '2026-11-21T08:00:00.000Z'],
    ['2026-11-01', 'America/New_York', '2026-11-01T04:00:00.000Z'],
    ['2026-03-08', 'America/New_York', '2026-03-08T05:00:00.000Z'],
    ['2026-11-21', 'Asia/Kolkata', '2026-11-20T18:30:00.000Z'],
    ['', 'UTC', ''],
    ['2026-99-99', 'UTC', ''],
  ])('start on %s in %s at %s', (day, zone, start) => {
    expect(startOfDay(day, zone)).toBe(start);
  });

  it.each([
    ['2026-11-21', 'UTC', '2026-11-22T00:00:00.000Z'],
    ['2026-11-01', 'America/New_York', '2026-11-02T05:00:00.000Z'],
    ['2026-03-08', 'America/New_York', '2026-03-09T04:00:00.000Z'],
  ])('end on %s in %s at %s', (day, zone, end) => {
    expect(endOfDay(day, zone)).toBe(end);
  });

  it('are empty for a day that does not exist', () => {
    expect([startOfDay('2026-99-99', 'UTC'), endOfDay('2026-99-99', 'UTC')]).toEqual(['', '']);
  });
});
