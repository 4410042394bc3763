import { describe, expect, it } from 'vitest';

import { DAY_PRESETS, dayIn, isReversed } from './days.ts';

describe('The day of an instant', () => {
  it.each([
    ['UTC', '2026-11-21'],
    ['America/Los_Angeles', '2026-11-20'],
    ['Pacific/Kiritimati', '2026-11-21'],
  ])('is that of the zone: %s', (zone, day) => {
    expect(dayIn(zone, new Date('2026-11-21T07:59:59Z'))).toBe(day);
  });
});

describe('The presets', () => {
  it('are days relative to today, over the ends of months', () => {
    expect(DAY_PRESETS.map(([name, daysOf]) => [name, daysOf('2026-03-01')])).toEqual([
      ['Today', { from: '2026-03-01', to: '2026-03-01' }],
      ['Yesterday', { from: '2026-02-28', to: '2026-02-28' }],
      ['7 days', { from: '2026-02-23', to: '2026-03-01' }],
      ['This month', { from: '2026-03-01', to: '2026-03-01' }],
    ]);
  });
});

describe('Days', () => {
  it.each([
    ['2026-11-21', '2026-11-20', true],
    ['2026-11-20', '2026-11-20', false],
    ['2026-11-21', '', false],
    ['', '2026-11-20', false],
  ])('from %s to %s are reversed: %s', (from, to, expected) => {
    expect(isReversed({ from, to })).toBe(expected);
  });
});
