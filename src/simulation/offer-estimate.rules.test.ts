import { describe, expect, it } from 'vitest';

import { filtersOfForm } from '../routing/offer-form.rules.ts';
import { type EstimatedOffer, sampledDays, weeklyLeads } from './offer-estimate.rules.ts';

const now = new Date('2026-11-27T12:00:00Z');
const hoursAgo = (hours: number): Date => new Date(now.getTime() - hours * 3_600_000);

describe('The days that the latest leads stand for', () => {
  it.each([
    ['a young marketplace is not scaled up', 48, true, 7],
    ['leads older than four weeks are left out', 24 * 90, true, 28],
    ['a sample of some days is scaled', 60, false, 2.5],
    ['a burst counts as a day', 0.1, false, 1],
  ])('%s', (_name, hours, isAll, days) => expect(sampledDays(hoursAgo(hours), now, { isAll })).toBe(days));
});

describe('The leads a week', () => {
  const filters = filtersOfForm({
    ...{ states: [], statesNot: [], debtAmount: { min: null, max: null }, minScore: null, suppliers: [] },
    ...{ suppliersNot: [], sources: [], sourcesNot: [], fields: {} },
    ...{ requireConsent: false, requireEmail: false, requirePhone: false },
  });
  const offer: EstimatedOffer = { offerKey: 'west', vertical: null, filters, payoutCents: 4500 };
  const leadOf = (isWithoutBuyer: boolean, ...sales: Array<[offerKey: string, payoutCents: number]>) => ({
    isWithoutBuyer,
    sales: sales.map(([offerKey, payoutCents]) => ({ offerKey, payoutCents })),
  });
  const leads = [
    leadOf(true),
    // Held, or a duplicate.
    leadOf(false),
    leadOf(false, ['west', 4000]),
    leadOf(false, ['north', 4499]),
    leadOf(false, ['north', 4500]),
    leadOf(false, ['north', 2000], ['east', 2400]),
    leadOf(false, ['north', 2000], ['east', 2500]),
  ];

  it('are scaled to seven days, with own sales apart from what it could get at its price', () => {
    expect(weeklyLeads(leads, offer, 3.5)).toEqual({ matching: 14, bought: 2, winnable: 6 });
  });

  it('of a new offer without a price are only those that match', () => {
    expect(weeklyLeads(leads, { ...offer, offerKey: null, payoutCents: null }, 7)).toEqual({
      ...{ matching: 7, bought: 0, winnable: null },
    });
  });
});
