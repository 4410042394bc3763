import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { PublicStatus } from '../leads/stored-lead.ts';
import { type StatusCount, supplierTotals } from './supplier-totals.rules.ts';

function count(publicStatus: PublicStatus, leads: number, scores: readonly number[] = []): StatusCount {
  return { publicStatus, leads, scored: scores.length, scoreSum: scores.reduce((total, score) => total + score, 0) };
}

describe('A supplier’s totals', () => {
  it('are zeros without submissions', () => {
    expect(supplierTotals([])).toEqual({
      totals: { submitted: 0, routed: 0, rejected: 0, pending: 0, acceptanceRate: 0, avgScore: 0 },
      byStatus: {},
    });
  });

  it('count every status under its kind, and average over accepted leads', () => {
    const counts = [
      count('Invalid', 2),
      count('Lead Sale', 3, [80, 70, 91]),
      count('Calendar Assigned', 1, [60]),
      count('Pending', 1, [50]),
      count('Duplicate', 1, [40]),
      count('No Buyer', 1, [30]),
    ];
    const { totals, byStatus } = supplierTotals(counts);
    // 4 of 9; 421 over 7.
    expect(totals).toEqual({ submitted: 9, routed: 4, rejected: 4, pending: 1, acceptanceRate: 44.4, avgScore: 60.1 });
    expect(JSON.stringify(byStatus)).toBe(
      '{"Lead Sale":3,"Calendar Assigned":1,"Pending":1,"Duplicate":1,"No Buyer":1,"Invalid":2}',
    );
  });

  it.each([
    [1, 3, 33.3],
    [2, 3, 66.7],
    [1, 16, 6.3],
    [1, 2000, 0.1],
    [1, 2001, 0],
    [3, 3, 100],
    [1999, 2000, 100],
  ])('with %i of %i routed have a rate of %d', (routed, submitted, rate) => {
    const counts = [count('Lead Sale', routed), count('No Buyer', submitted - routed)];
    expect(supplierTotals(counts).totals.acceptanceRate).toBe(rate);
  });

  it('leave out a status with no leads left', () => {
    expect(supplierTotals([count('Pending', 0), count('Lead Sale', 2, [1, 2])]).byStatus).toEqual({ 'Lead Sale': 2 });
  });

  it('always add up', () => {
    const statuses: PublicStatus[] = [
      'Pending',
      'Lead Sale',
      'Calendar Assigned',
      'Duplicate',
      'No Buyer',
      'Invalid',
      'Suppressed',
    ];
    const anyCount = fc.record({
      publicStatus: fc.constantFrom(...statuses),
      leads: fc.nat({ max: 1_000_000 }),
      scored: fc.nat({ max: 1000 }),
      scoreSum: fc.nat({ max: 100_000 }),
    });
    const anyCounts = fc.uniqueArray(anyCount, { selector: ({ publicStatus }) => publicStatus });
    fc.assert(
      fc.property(anyCounts, (counts) => {
        const { totals, byStatus } = supplierTotals(counts);
        expect(totals.routed + totals.rejected + totals.pending).toBe(totals.submitted);
        expect(Object.values(byStatus).reduce((sum, leads) => sum + leads, 0)).toBe(totals.submitted);
        expect(totals.acceptanceRate).toBeLessThanOrEqual(100);
        // One decimal is all that the text of the number has.
        expect(String(totals.acceptanceRate)).toMatch(/^\d+(\.\d)?$/);
      }),
    );
  });
});
