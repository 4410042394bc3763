import { describe, expect, test } from 'vitest';

import { startOfDay } from './day-start.ts';

describe('A day begins', () => {
  test.each([
    ['2026-11-21', 'UTC', 0, '2026-11-21T00:00:00.000Z'],
    ['2026-11-21', 'UTC', 1, '2026-11-22T00:00:00.000Z'],
    ['2026-11-21', 'America/Los_Angeles', 0, '2026-11-21T08:00:00.000Z'],
    // The day after which the clocks are set back, and the one before they are set forward.
    ['2026-11-01', 'America/New_York', 0, '2026-11-01T04:00:00.000Z'],
    ['2026-11-01', 'America/New_York', 1, '2026-11-02T05:00:00.000Z'],
    ['2026-03-08', 'America/New_York', 0, '2026-03-08T05:00:00.000Z'],
    ['2026-03-08', 'America/New_York', 1, '2026-03-09T04:00:00.000Z'],
    ['2026-11-21', 'Asia/Kolkata', 0, '2026-11-20T18:30:00.000Z'],
    ['', 'UTC', 0, ''],
    ['2026-99-99', 'UTC', 0, ''],
  ])('%s in %s, %i later', (day, zone, later, start) => {
    expect(startOfDay(day, zone, later)).toBe(start);
  });
});
