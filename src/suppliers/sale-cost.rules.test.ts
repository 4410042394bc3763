import { assert as holds, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';

import { clawbackCents, isInTime, type SaleFacts, saleCost, shareOf } from './sale-cost.rules.ts';
import { noPay } from './supplier-form.rules.ts';
import type { PayRule, PayTerms } from './supplier.ts';

const sale: SaleFacts = { state: 'CA', source: 'search', score: 70, eventType: 'Lead Sale', priceCents: 4500 };
const any: PayRule['when'] = { states: [], sources: [], eventTypes: [], minScore: null };
const share: PayTerms = { ...noPay, model: 'share', share: 6000 };
const fixed: PayTerms = { ...noPay, model: 'fixed', amountCents: 1200 };

describe('saleCost', () => {
  it('is null where the leads cost nothing', () => {
    expect(saleCost(noPay, sale)).toBeNull();
  });

  it('is the amount, or the share of the price, with the terms for taking back and holding', () => {
    const kept = { clawbackDays: 60, holdDays: 14 };
    expect(saleCost(fixed, sale)).toEqual({ model: 'fixed', costCents: 1200, share: null, ...kept });
    expect(saleCost(share, sale)).toEqual({ model: 'share', costCents: 2700, share: 6000, ...kept });
    const forGood: PayTerms = { ...fixed, clawback: { onReturn: 'none', days: 60 }, hold: { days: 0 } };
    expect(saleCost(forGood, sale)).toMatchObject({ clawbackDays: null, holdDays: 0 });
  });

  it.each<[string, Partial<PayRule['when']>, boolean]>([
    ['a state of the list', { states: ['TX', 'CA'] }, true],
    ['another state', { states: ['TX'] }, false],
    ['a source of the list', { sources: ['search'] }, true],
    ['another source', { sources: ['social'] }, false],
    ['the type of the offer', { eventTypes: ['Lead Sale'] }, true],
    ['another type', { eventTypes: ['Calendar Assigned'] }, false],
    ['just the lowest score', { minScore: 70 }, true],
    ['a score below the lowest', { minScore: 71 }, false],
    ['only one of two conditions', { states: ['CA'], minScore: 80 }, false],
  ])('goes by a rule for %s: %j, %s', (_case, when, matches) => {
    const terms = { ...fixed, rules: [{ when: { ...any, ...when }, amountCents: 1500, share: null }] };
    expect(saleCost(terms, sale)?.costCents).toBe(matches ? 1500 : 1200);
  });

  it('matches no list with a lead that has no state or source', () => {
    const rules = [
      { when: { ...any, states: ['CA'] }, amountCents: 1, share: null },
      { when: { ...any, sources: ['search'] }, amountCents: 2, share: null },
    ];
    expect(saleCost({ ...fixed, rules }, { ...sale, state: null, source: null })?.costCents).toBe(1200);
  });

  it('goes by the first rule that matches', () => {
    const rules = [
      { when: { ...any, minScore: 60 }, amountCents: null, share: 5000 },
      { when: { ...any, states: ['CA'] }, amountCents: null, share: 7000 },
    ];
    expect(saleCost({ ...share, rules }, sale)?.costCents).toBe(2250);
    expect(saleCost({ ...share, rules }, { ...sale, score: 10 })?.costCents).toBe(3150);
  });
});

describe('shareOf', () => {
  it.each([
    [4500, 6000, 2700],
    [1, 5000, 1],
    [1, 4999, 0],
    [3, 5000, 2],
    [333, 3333, 111],
    [4500, 0, 0],
    [4500, 10_000, 4500],
    [99_999_999_999, 9999, 99_989_999_999],
  ])('rounds half up: %i × %i', (cents, hundredths, expected) => {
    expect(shareOf(cents, hundredths)).toBe(expected);
  });

  it('is never more than the price', () => {
    holds(
      property(integer({ min: 0, max: 99_999_999_999 }), integer({ min: 0, max: 10_000 }), (cents, hundredths) => {
        expect(shareOf(cents, hundredths)).toBeLessThanOrEqual(cents);
      }),
    );
  });
});

describe('clawbackCents', () => {
  const whole = { owedCents: 2700, priceCents: 4500, creditCents: 4500 };

  it('takes back a share as a whole or in part, and a fixed amount when no sale is kept', () => {
    expect(clawbackCents({ ...whole, model: 'share', isLeadKept: true })).toBe(2700);
    expect(clawbackCents({ ...whole, model: 'share', isLeadKept: false, creditCents: 1500 })).toBe(900);
    expect(clawbackCents({ ...whole, model: 'share', isLeadKept: false, creditCents: 0 })).toBe(0);
    expect(clawbackCents({ ...whole, model: 'fixed', isLeadKept: true })).toBe(0);
    expect(clawbackCents({ ...whole, model: 'fixed', isLeadKept: false })).toBe(2700);
  });

  it('is never more than is owed, nor less than nothing', () => {
    const cents = integer({ min: 0, max: 99_999_999_999 });
    holds(
      property(cents, cents, cents, (owedCents, priceCents, creditCents) => {
        const taken = clawbackCents({ model: 'share', owedCents, priceCents, creditCents, isLeadKept: false });
        expect(taken).toBeGreaterThanOrEqual(0);
        expect(taken).toBeLessThanOrEqual(owedCents);
      }),
    );
  });
});

describe('isInTime', () => {
  const confirmedAt = new Date('2026-11-01T00:00:00Z');

  it.each([
    ['2026-11-01T00:00:00Z', 0, true],
    ['2026-11-01T00:00:00.001Z', 0, false],
    ['2026-12-31T00:00:00Z', 60, true],
    ['2026-12-31T00:00:00.001Z', 60, false],
    ['2026-10-31T00:00:00Z', 60, true],
  ])('of an approval at %s within %i days: %s', (at, days, expected) => {
    expect(isInTime(confirmedAt, days, new Date(at))).toBe(expected);
  });
});
