import { describe, expect, it } from 'vitest';

import { priceDays } from './price-days.ts';

describe('The days of a price', () => {
  it('have the price at the end of the day in the zone of the report, and no sales where the report has no row', () => {
    const changes = [
      { at: '2026-11-21T12:00:00.000Z', from: 48, to: 52, actor: null },
      { at: '2026-11-21T11:00:00.000Z', from: 45, to: 48, actor: null },
      { at: '2026-11-20T03:00:00.000Z', from: 40, to: 45, actor: null },
    ];
    const report = {
      ...{ from: '2026-11-18', until: '2026-11-22', timeZone: 'America/New_York' },
      rows: [{ keys: ['2026-11-20'], values: { deliveries: 7 } }],
    };
    expect(priceDays({ priceBefore: 40, changes }, report)).toEqual([
      { day: '2026-11-18', price: 40, sold: 0 },
      { day: '2026-11-19', price: 45, sold: 0 },
      { day: '2026-11-20', price: 45, sold: 7 },
      { day: '2026-11-21', price: 52, sold: 0 },
      { day: '2026-11-22', price: 52, sold: 0 },
    ]);
    expect(priceDays({ priceBefore: 40, changes: [] }, report).map(({ price }) => price)).toEqual([40, 40, 40, 40, 40]);
  });
});
