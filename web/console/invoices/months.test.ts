import { describe, expect, it } from 'vitest';

import { monthName, pastMonths } from './months.ts';

describe('past months', () => {
  it.each([
    ['2026-11-20T18:00:00Z', ['2026-10', '2026-09', '2026-08']],
    ['2026-01-15T00:00:00Z', ['2025-12', '2025-11', '2025-10']],
    ['2026-12-01T11:59:59Z', ['2026-10', '2026-09', '2026-08']],
    ['2026-12-01T12:00:00Z', ['2026-11', '2026-10', '2026-09']],
  ])('at %s are the months that are over in every time zone', (now, months) => {
    expect(pastMonths(new Date(now), 3)).toEqual(months);
  });
  it('have names', () => {
    expect(monthName('2026-10')).toBe('October 2026');
    expect(monthName('2026-01')).toBe('January 2026');
  });
});
