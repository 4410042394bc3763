import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { buyerDays, type DayCounts, windowDays } from './buyer-days.rules.ts';

function count(day: string, more: Partial<DayCounts> = {}): DayCounts {
  return {
    day,
    ...{ confirmed: 0, pending: 0, failed: 0, returned: 0, leadSales: 0, bookings: 0 },
    ...{ confirmedCents: 0, pendingCents: 0, returnedCents: 0 },
    ...more,
  };
}

describe('The window of statistics', () => {
  it.each([
    [1, '2026-11-20T00:00:00.000Z', ['2026-11-20']],
    [1, '2026-11-20T23:59:59.999Z', ['2026-11-20']],
    [3, '2026-03-01T12:00:00.000Z', ['2026-02-27', '2026-02-28', '2026-03-01']],
    [2, '2028-03-01T00:00:00.000Z', ['2028-02-29', '2028-03-01']],
  ])('of %i days at %s is %j', (days, now, expected) => {
    expect(windowDays(days, new Date(now))).toEqual(expected);
  });

  it('of a year has 365 days, each once and in order', () => {
    const window = windowDays(365, new Date('2026-11-20T23:59:59.999Z'));
    expect([window.length, new Set(window).size, window[0], window.at(-1)]).toEqual([
      365,
      365,
      '2025-11-21',
      '2026-11-20',
    ]);
    expect(window).toEqual(window.toSorted());
  });
});

describe('The counts of a window', () => {
  const window = ['2026-11-18', '2026-11-19', '2026-11-20'];

  it('without a delivery are zeros for every day', () => {
    const none = { deliveries: 0, confirmed: 0, pending: 0, failed: 0, returned: 0 };
    expect(buyerDays(window, [])).toEqual({
      totals: none,
      revenue: { confirmed: 0, pending: 0, returned: 0 },
      byEventType: { 'Lead Sale': 0, 'Calendar Assigned': 0 },
      byDay: window.map((date) => ({ date, ...none, revenue: 0 })),
    });
  });

  it('are on their days, oldest first, with money as in the API', () => {
    const counts = [
      count('2026-11-20', { confirmed: 2, confirmedCents: 9050, pending: 1, pendingCents: 4500, leadSales: 3 }),
      count('2026-11-18', { failed: 1, returned: 1, returnedCents: 12_000, leadSales: 1, bookings: 1 }),
    ];
    expect(buyerDays(window, counts)).toEqual({
      totals: { deliveries: 5, confirmed: 2, pending: 1, failed: 1, returned: 1 },
      revenue: { confirmed: 90.5, pending: 45, returned: 120 },
      byEventType: { 'Lead Sale': 4, 'Calendar Assigned': 1 },
      byDay: [
        { date: '2026-11-18', deliveries: 2, confirmed: 0, pending: 0, failed: 1, returned: 1, revenue: 0 },
        { date: '2026-11-19', deliveries: 0, confirmed: 0, pending: 0, failed: 0, returned: 0, revenue: 0 },
        { date: '2026-11-20', deliveries: 3, confirmed: 2, pending: 1, failed: 0, returned: 0, revenue: 90.5 },
      ],
    });
  });

  it('always add up', () => {
    const n = fc.nat({ max: 1_000_000 });
    const anyCount = fc
      .record({
        day: fc.constantFrom(...window),
        confirmed: n,
        pending: n,
        failed: n,
        returned: n,
        cents: n,
        bookings: n,
      })
      .map(({ day, cents, bookings, ...status }) => {
        const all = status.confirmed + status.pending + status.failed + status.returned;
        const booked = Math.min(bookings, all);
        return count(day, { ...status, confirmedCents: cents, bookings: booked, leadSales: all - booked });
      });
    fc.assert(
      fc.property(fc.uniqueArray(anyCount, { selector: ({ day }) => day }), (counts) => {
        const { totals, revenue, byEventType, byDay } = buyerDays(window, counts);
        expect(totals.confirmed + totals.pending + totals.failed + totals.returned).toBe(totals.deliveries);
        expect(byEventType['Lead Sale'] + byEventType['Calendar Assigned']).toBe(totals.deliveries);
        expect(byDay.reduce((sum, day) => sum + day.deliveries, 0)).toBe(totals.deliveries);
        const cents = byDay.reduce((sum, day) => sum + Math.round(day.revenue * 100), 0);
        expect(cents).toBe(Math.round(revenue.confirmed * 100));
      }),
    );
  });
});
