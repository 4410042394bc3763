import { describe, expect, it } from 'vitest';

import { newOwnField } from '../configuration/new-things.ts';
import { filtersWithin, withFilter } from './own-filters.ts';

describe('A filter on an own field', () => {
  it.each([
    [{ in: ['tile', 'flat'] }, { in: ['flat', 'tile'] }],
    [{ in: [10, 9] }, { in: [9, 10] }],
    [
      { max: 5, notIn: ['b', 'a'], min: 1 },
      { notIn: ['a', 'b'], min: 1, max: 5 },
    ],
    [{ is: false }, { is: false }],
  ])('%j is kept as %j', (filter, kept) =>
    expect(JSON.stringify(withFilter({}, 'roof', filter))).toBe(JSON.stringify({ roof: kept })),
  );

  it('is ordered by name, and gone without a condition', () => {
    const both = withFilter({ zip: { in: ['941*'] } }, 'bill', { min: 0 });
    expect(Object.keys(both)).toEqual(['bill', 'zip']);
    expect(withFilter(both, 'bill', { in: [] })).toEqual({ zip: { in: ['941*'] } });
  });

  it('goes with a vertical that has no such field, or one that is not filterable', () => {
    const fields = [
      { ...newOwnField, name: 'roof' },
      { ...newOwnField, name: 'note', filterable: false },
    ];
    const filters = { note: { in: ['a'] }, roof: { in: ['tile'] }, vin: { notIn: ['b'] } };
    expect(filtersWithin(filters, fields)).toEqual({ roof: { in: ['tile'] } });
  });
});
