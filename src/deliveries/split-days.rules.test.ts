import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { DAY_MS } from '../base/time.ts';
import { type DaySpan, daysAround, nearestDays } from './split-days.rules.ts';

const at = (text: string): number => Date.parse(text);

describe('A month split into days', () => {
  it.each([
    [
      'in UTC is its days',
      '2026-11-01T00:00:00.000Z',
      '2026-12-01T00:00:00.000Z',
      { from: '2026-11-01', until: '2026-12-01' },
      [],
    ],
    [
      'in Los Angeles begins late and ends late',
      '2026-11-01T07:00:00.000Z',
      '2026-12-01T08:00:00.000Z',
      { from: '2026-11-01', until: '2026-12-01' },
      [
        ['2026-11-01T00:00:00.000Z', '2026-11-01T07:00:00.000Z', -1],
        ['2026-12-01T00:00:00.000Z', '2026-12-01T08:00:00.000Z', 1],
      ],
    ],
    [
      'in Auckland begins and ends the day before',
      '2026-10-31T11:00:00.000Z',
      '2026-11-30T11:00:00.000Z',
      { from: '2026-10-31', until: '2026-11-30' },
      [
        ['2026-10-31T00:00:00.000Z', '2026-10-31T11:00:00.000Z', -1],
        ['2026-11-30T00:00:00.000Z', '2026-11-30T11:00:00.000Z', 1],
      ],
    ],
    [
      'in Tokyo is completed from the day before',
      '2026-10-31T15:00:00.000Z',
      '2026-11-30T15:00:00.000Z',
      { from: '2026-11-01', until: '2026-12-01' },
      [
        ['2026-10-31T15:00:00.000Z', '2026-11-01T00:00:00.000Z', 1],
        ['2026-11-30T15:00:00.000Z', '2026-12-01T00:00:00.000Z', -1],
      ],
    ],
  ] as const)('%s', (_, from, until, days, parts) => {
    expect(nearestDays({ from: at(from), until: at(until) })).toEqual({
      days,
      parts: parts.map(([start, end, sign]) => ({ from: at(start), until: at(end), sign })),
    });
  });
});

describe('Days and parts of a span', () => {
  it('contain every instant of the span once and no other', () => {
    const start = fc.integer({ min: 0, max: 40 * DAY_MS });
    const length = fc.integer({ min: 2 * DAY_MS, max: 40 * DAY_MS });
    fc.assert(
      fc.property(start, length, fc.integer({ min: 0, max: 90 * DAY_MS }), (from, ms, instant) => {
        const span = { from, until: from + ms };
        const { days, parts } = nearestDays(span);
        const { inner, outer } = daysAround(span);
        const counted = parts
          .filter((part) => part.from <= instant && instant < part.until)
          .reduce((sum, { sign }) => sum + sign, holds(days, instant) ? 1 : 0);
        const isIn = span.from <= instant && instant < span.until;
        expect(counted).toBe(isIn ? 1 : 0);
        if (holds(inner, instant)) expect(isIn).toBe(true);
        if (isIn) expect(holds(outer, instant)).toBe(true);
        for (const part of parts) expect(part.until - part.from).toBeLessThanOrEqual(DAY_MS / 2);
      }),
    );
  });

  function holds({ from, until }: DaySpan, instant: number): boolean {
    return at(`${from}T00:00:00Z`) <= instant && instant < at(`${until}T00:00:00Z`);
  }
});
