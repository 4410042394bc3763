import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { DAY_MS } from '../base/time.ts';
import { type DayCount, pageSpan, totalOf } from './page-span.rules.ts';

const days = [
  { day: '2026-03-02', deliveries: 3 },
  { day: '2026-02-28', deliveries: 10 },
  { day: '2026-02-01', deliveries: 1 },
];

describe('The span of a page', () => {
  it.each([
    [0, 2, '2026-03-02', '2026-03-03', 0, 'within the newest day'],
    [0, 3, '2026-03-02', '2026-03-03', 0, 'the whole newest day and nothing more'],
    [1, 3, '2026-02-28', '2026-03-03', 1, 'from one day into the next one that has any'],
    [3, 5, '2026-02-28', '2026-03-01', 0, 'from the beginning of a day'],
    [8, 5, '2026-02-28', '2026-03-01', 5, 'up to the end of a day'],
    [12, 5, '2026-02-01', '2026-03-01', 9, 'up to the last row of all'],
    [0, 100, '2026-02-01', '2026-03-03', 0, 'everything'],
    [13, 1, '2026-02-01', '2026-02-02', 0, 'the very last row'],
  ])('from row %i, %i long, is %s to %s, skipping %i: %s', (offset, size, from, until, skip) => {
    expect(pageSpan(days, offset, size)).toEqual({ from: new Date(from), until: new Date(until), skip });
  });

  it.each([
    [14, 1],
    [1000, 100],
  ])('from row %i is null past the end', (offset, size) => {
    expect(pageSpan(days, offset, size)).toBeNull();
  });

  it('is null without rows', () => {
    expect(pageSpan([], 0, 25)).toBeNull();
    expect(totalOf([])).toBe(0);
  });

  it('contains the rows of a naive count, in the fewest days', () => {
    const anyCounts = fc.array(
      fc.record({ gap: fc.integer({ min: 1, max: 4 }), deliveries: fc.integer({ min: 1, max: 9 }) }),
    );
    fc.assert(
      fc.property(anyCounts, fc.nat({ max: 60 }), fc.integer({ min: 1, max: 20 }), (gaps, offset, size) => {
        const counts = countsBackFrom('2026-03-02', gaps);
        const rows = counts.flatMap(({ day, deliveries }) => Array.from({ length: deliveries }, () => day));
        const page = rows.slice(offset, offset + size);
        const span = pageSpan(counts, offset, size);
        expect(totalOf(counts)).toBe(rows.length);
        if (span === null) {
          expect(page).toEqual([]);
          return;
        }
        const within = rows.filter((day) => span.from <= new Date(day) && new Date(day) < span.until);
        expect(within.slice(span.skip, span.skip + size)).toEqual(page);
        expect([within[0], within.at(-1)]).toEqual([page[0], page.at(-1)]);
      }),
    );
  });
});

function countsBackFrom(day: string, gaps: ReadonlyArray<{ gap: number; deliveries: number }>): DayCount[] {
  let at = Date.parse(day);
  return gaps.map(({ gap, deliveries }) => {
    at -= gap * DAY_MS;
    return { day: new Date(at).toISOString().slice(0, 10), deliveries };
  });
}
