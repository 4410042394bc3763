import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { anIndexed } from '../../test/support/offers.ts';
import type { OwnLimits } from './offer.ts';
import { keptSales, limitsBeyond, noLimits, offerInForce, type SoldOnDay, statedLimits } from './own-limits.rules.ts';

const none = noLimits.caps;
const { offer } = anIndexed({
  caps: { daily: 10, weekly: null, monthly: 100 },
  budgetCents: { daily: null, weekly: 90_000, monthly: null },
});
const own = (limits: Partial<OwnLimits>): OwnLimits => ({ ...noLimits, ...limits });

describe('An offer in force', () => {
  it('is the offer itself without own limits', () => {
    expect(offerInForce(offer)).toBe(offer);
  });

  it('has the lower limit of each window and the excluded states of both', () => {
    const filters = { ...offer.filters, statesNot: ['TX'] };
    const ownLimits = own({
      caps: { daily: 20, weekly: 5, monthly: 40 },
      budgetCents: { ...none, weekly: 45_000, monthly: 0 },
      statesNot: ['CA', 'TX'],
    });
    expect(offerInForce({ ...offer, filters, ownLimits })).toMatchObject({
      caps: { daily: 10, weekly: 5, monthly: 40 },
      budgetCents: { daily: null, weekly: 45_000, monthly: 0 },
      filters: { statesNot: ['CA', 'TX'] },
    });
  });

  const limit = fc.option(fc.integer({ min: 0, max: 50 }));
  const perWindow = fc.record({ daily: limit, weekly: limit, monthly: limit });

  it('never allows more than the offer', () => {
    fc.assert(
      fc.property(perWindow, perWindow, (caps, ownCaps) => {
        const after = offerInForce({ ...offer, caps, ownLimits: own({ caps: ownCaps }) }).caps;
        for (const window of ['daily', 'weekly', 'monthly'] as const) {
          expect(after[window] ?? Infinity).toBe(Math.min(caps[window] ?? Infinity, ownCaps[window] ?? Infinity));
        }
      }),
    );
  });
});

describe('Own limits', () => {
  it('that limit nothing are none', () => {
    expect(statedLimits(noLimits)).toBeNull();
    expect(statedLimits(own({ statesNot: ['TX', 'CA', 'TX'] }))?.statesNot).toEqual(['CA', 'TX']);
    expect(statedLimits(own({ caps: { ...none, daily: 0 } }))).not.toBeNull();
  });

  it('above those of the operator are named with their bound', () => {
    const limits = own({ caps: { daily: 11, weekly: 500, monthly: 100 }, budgetCents: { ...none, weekly: 90_001 } });
    expect(limitsBeyond(limits, offer)).toEqual([
      { kind: 'caps', window: 'daily', most: 10 },
      { kind: 'budget', window: 'weekly', most: 90_000 },
    ]);
  });
});

describe('Sales that are left under limits', () => {
  // A Sunday and a Monday, in two months.
  const sold: SoldOnDay[] = [
    { day: '2026-11-01', state: 'CA', leads: 4, cents: 4000 },
    { day: '2026-11-01', state: null, leads: 2, cents: 2000 },
    { day: '2026-11-02', state: 'CA', leads: 6, cents: 6000 },
    { day: '2026-10-31', state: 'TX', leads: 5, cents: 5000 },
  ];
  it.each([
    ['no limit', {}, 17],
    ['a state', { statesNot: ['TX'] }, 12],
    ['a daily cap', { caps: { ...none, daily: 5 } }, 15],
    ['a weekly cap', { caps: { ...none, weekly: 7 } }, 13],
    ['a monthly cap', { caps: { ...none, monthly: 8 } }, 13],
    ['a daily budget', { budgetCents: { ...none, daily: 2500 } }, 6],
    ['two limits', { caps: { ...none, daily: 4 }, budgetCents: { ...none, monthly: 5000 } }, 9],
    ['nothing at all', { caps: { ...none, monthly: 0 } }, 0],
  ] as const)('with %s', (_, limits, leads) => {
    expect(keptSales(sold, own(limits))).toEqual({ leads, cents: leads * 1000 });
  });
});
