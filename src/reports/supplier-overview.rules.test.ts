import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { PublicStatus } from '../leads/stored-lead.ts';
import { type DayCount, supplierOverview } from './supplier-overview.rules.ts';

const window = ['2026-11-19', '2026-11-20'];
const statuses: readonly PublicStatus[] = [
  'Pending',
  'Lead Sale',
  'Calendar Assigned',
  'Duplicate',
  'No Buyer',
  'Invalid',
];

function count(day: string, publicStatus: PublicStatus, leads: number, scores: readonly number[] = []): DayCount {
  return {
    ...{ day, publicStatus, leads },
    scored: scores.length,
    scoreSum: scores.reduce((total, score) => total + score, 0),
  };
}

describe('The overview of a supplier', () => {
  it('has zeros on every day without submissions', () => {
    const { totals, byDay, scores, rejections, byStatus } = supplierOverview({
      window,
      byDay: [],
      scores: [],
      refusals: [],
    });
    expect(totals).toMatchObject({ submitted: 0, accepted: 0, acceptedRate: 0, acceptanceRate: 0, avgScore: 0 });
    expect(byDay.map(({ date, submitted }) => [date, submitted])).toEqual([
      ['2026-11-19', 0],
      ['2026-11-20', 0],
    ]);
    expect(scores).toHaveLength(10);
    expect([rejections.atIngest, rejections.afterwards, byStatus]).toEqual([[], [], []]);
  });

  it('separates accepted submissions from sold leads', () => {
    const { totals, byDay, byStatus } = supplierOverview({
      window,
      byDay: [
        count('2026-11-19', 'Lead Sale', 2, [80, 90]),
        count('2026-11-19', 'Invalid', 1),
        count('2026-11-20', 'Lead Sale', 1, [70]),
        count('2026-11-20', 'No Buyer', 1, [40]),
      ],
      scores: [],
      refusals: [],
    });
    expect(totals).toEqual({
      ...{ submitted: 5, accepted: 4, routed: 3, rejected: 2, pending: 0 },
      ...{ acceptedRate: 80, acceptanceRate: 60, avgScore: 70 },
    });
    expect(byDay[0]).toMatchObject({
      submitted: 3,
      accepted: 2,
      routed: 2,
      rejected: 1,
      acceptedRate: 66.7,
      avgScore: 85,
    });
    expect(byStatus.map(({ status, leads }) => [status, leads])).toEqual([
      ['Lead Sale', 3],
      ['No Buyer', 1],
      ['Invalid', 1],
    ]);
  });

  it('names score ranges of ten, the last one including 100', () => {
    const scores = Array.from({ length: 10 }, (_, ten) => ten);
    const figures = supplierOverview({ window, byDay: [], scores, refusals: [] });
    expect(figures.scores.map(({ from, to, leads }) => `${from}-${to}: ${leads}`)).toEqual([
      ...Array.from({ length: 9 }, (_, ten) => `${10 * ten}-${10 * ten + 9}: ${ten}`),
      '90-100: 9',
    ]);
  });

  it('lists the most frequent error first, equal ones in contract order, unknown ones last', () => {
    const { rejections } = supplierOverview({
      window,
      byDay: [count('2026-11-20', 'Invalid', 10)],
      scores: [],
      refusals: [
        { reason: 'forgotten word', leads: 2 },
        { reason: 'phone invalid', leads: 2 },
        { reason: 'name required', leads: 2 },
        { reason: 'state invalid', leads: 7 },
        { reason: 'email invalid', leads: 0 },
      ],
    });
    expect(rejections.atIngest.map(({ reason, leads, share }) => [reason, leads, share])).toEqual([
      ['state invalid', 7, 70],
      ['name required', 2, 20],
      ['phone invalid', 2, 20],
      ['forgotten word', 2, 20],
    ]);
  });

  it('always adds up, for any counts of any days', () => {
    const anyCount = fc.record({
      day: fc.constantFrom(...window),
      publicStatus: fc.constantFrom(...statuses),
      leads: fc.nat({ max: 10_000 }),
      scored: fc.constant(0),
      scoreSum: fc.constant(0),
    });
    const anyCounts = fc.uniqueArray(anyCount, { selector: ({ day, publicStatus }) => `${day} ${publicStatus}` });
    fc.assert(
      fc.property(anyCounts, (byDay) => {
        const figures = supplierOverview({ window, byDay, scores: [], refusals: [] });
        for (const part of [figures.totals, ...figures.byDay]) {
          expect(part.routed + part.rejected + part.pending).toBe(part.submitted);
          expect(part.accepted).toBeGreaterThanOrEqual(part.routed + part.pending);
        }
        for (const name of ['submitted', 'accepted', 'routed', 'rejected', 'pending'] as const)
          expect(figures.byDay.reduce((sum, day) => sum + day[name], 0)).toBe(figures.totals[name]);
      }),
    );
  });
});
