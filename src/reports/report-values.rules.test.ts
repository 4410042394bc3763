import { describe, expect, it } from 'vitest';

import { medianOf, NO_SUMS, SECONDS_UP_TO, valuesOf } from './report-values.rules.ts';

const counts = (given: Readonly<Record<number, number>>): number[] =>
  Array.from({ length: SECONDS_UP_TO.length + 1 }, (_, index) => given[index] ?? 0);

describe('medianOf', () => {
  it.each([
    ['null without counts', {}, null],
    ['the middle of the only range', { 0: 10 }, 0.5],
    ['a point within a range', { 3: 4 }, 4],
    ['the end of the range that has the first half', { 0: 5, 4: 5 }, 1],
    ['a point of the range that holds the middle', { 0: 2, 4: 4 }, 6.3],
    ['the start of the last range, which has no end', { 14: 3 }, 86_400],
  ] as const)('returns %s', (_case, given, median) => {
    expect(medianOf(counts(given))).toBe(median);
  });
});

describe('valuesOf', () => {
  it('has no value for a rate of nothing, nor for leads where they have no dimension', () => {
    const sums = { ...NO_SUMS, sold: 3, unsold: 1, revenueCents: 4550, costCents: 5000 };
    expect(valuesOf(['sellThrough', 'returnRate', 'margin', 'averagePrice'], sums, { withLeads: true })).toEqual({
      ...{ sellThrough: 0.75, returnRate: null, margin: -4.5, averagePrice: null },
    });
    expect(valuesOf(['sold', 'revenue'], sums, { withLeads: false })).toEqual({ sold: null, revenue: 45.5 });
  });

  it('counts returned deliveries as confirmed, and not as kept', () => {
    const sums = { ...NO_SUMS, deliveries: 9, kept: 8, returned: 2 };
    const measures = ['deliveries', 'confirmed', 'kept', 'returned', 'returnRate'] as const;
    expect(valuesOf(measures, sums, { withLeads: true })).toEqual({
      ...{ deliveries: 9, confirmed: 8, kept: 6, returned: 2, returnRate: 0.25 },
    });
  });
});
