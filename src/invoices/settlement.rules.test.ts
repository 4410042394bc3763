import { describe, expect, it } from 'vitest';

import { amountsAtIssue, dueAfter, freeCents, invoiceNumber, type BalanceSummary, taxOn } from './settlement.rules.ts';

const nothing: BalanceSummary = {
  balanceCents: 0,
  dueCents: 0,
  unbilledChargesCents: 0,
  unbilledCreditsCents: 0,
  carriedCents: 0,
};

describe('freeCents', () => {
  it.each<[string, Partial<BalanceSummary>, number]>([
    ['includes an advance payment', { balanceCents: 1000 }, 1000],
    ['ignores charges that are not invoiced', { balanceCents: 400, unbilledChargesCents: 600 }, 1000],
    ['excludes a credit that is not invoiced', { balanceCents: 45, unbilledCreditsCents: 45 }, 0],
    ['excludes amounts carried to the next invoice', { balanceCents: 45, carriedCents: 45 }, 0],
    ['is 0 if the debt is an invoice', { balanceCents: -4500, dueCents: 4500 }, 0],
    ['is negative after a debit adjustment', { balanceCents: -2000 }, -2000],
  ])('%s', (_case, part, free) => {
    expect(freeCents({ ...nothing, ...part })).toBe(free);
  });
});

describe('amountsAtIssue and invoiceNumber', () => {
  type Sums = [subtotal: number, credits: number, carriedIn?: number];
  it.each<[string, Sums, free: number, [total: number, carriedOut: number, balance: number, due: number]]>([
    ['leaves the total due for a postpaid partner', [4500, 0], 0, [4500, 0, 0, 4500]],
    ['pays the total from an advance payment', [4500, 0], 10_000, [4500, 0, 4500, 0]],
    ['pays the total if the balance is exactly enough', [4500, 0], 4500, [4500, 0, 4500, 0]],
    ['pays a part from the balance', [4500, 0], 1500, [4500, 0, 1500, 3000]],
    ['ignores other debt', [4500, 0], -2000, [4500, 0, 0, 4500]],
    ['subtracts credits', [9000, 4500], 0, [4500, 0, 0, 4500]],
    ['carries an excess of credits', [0, 4500], 0, [0, 4500, 0, 0]],
    ['uses no balance if credits exceed charges', [1000, 4500], 700, [0, 3500, 0, 0]],
    ['leaves nothing due if credits equal charges', [4500, 4500], -1, [0, 0, 0, 0]],
    ['subtracts carried amounts', [6000, 0, 4500], 0, [1500, 0, 0, 1500]],
    ['carries unused amounts on', [1000, 500, 4500], 0, [0, 4000, 0, 0]],
  ])('%s', (_case, [subtotalCents, creditsCents, carriedInCents = 0], free, [total, carriedOut, balance, due]) => {
    expect(
      amountsAtIssue({ subtotalCents, creditsCents, carriedInCents }, { freeCents: free, taxBasisPoints: 0 }),
    ).toEqual({
      ...{ subtotalCents, creditsCents, carriedInCents, carriedOutCents: carriedOut },
      ...{ taxCents: 0, totalCents: total, fromBalanceCents: balance, amountDueCents: due },
    });
  });

  it.each([
    ['adds nothing without a rate', 10_000, 0, 0],
    ['takes 8.25 percent', 10_000, 825, 825],
    ['rounds half a cent up', 200, 25, 1],
    ['rounds less than half a cent down', 199, 25, 0],
    ['takes all of it at 100 percent', 4501, 10_000, 4501],
    ['is exact for large amounts', 90_000_000_000_001, 825, 7_425_000_000_000],
  ])('%s', (_case, net, basisPoints, tax) => {
    expect(taxOn(net, basisPoints)).toBe(tax);
  });

  it('taxes what is left after credits and carried amounts, and pays the gross from the balance', () => {
    const sums = { subtotalCents: 20_000, creditsCents: 5000, carriedInCents: 5000 };
    expect(amountsAtIssue(sums, { freeCents: 500, taxBasisPoints: 1000 })).toMatchObject({
      ...{ taxCents: 1000, totalCents: 11_000, fromBalanceCents: 500, amountDueCents: 10_500 },
    });
    expect(amountsAtIssue({ ...sums, creditsCents: 20_000 }, { freeCents: 0, taxBasisPoints: 1000 })).toMatchObject({
      ...{ taxCents: 0, totalCents: 0, carriedOutCents: 5000 },
    });
  });

  it('sets the due time exactly 14 days after issue', () => {
    expect(dueAfter(new Date('2026-11-01T08:00:00.123Z'), 14)).toEqual(new Date('2026-11-15T08:00:00.123Z'));
  });

  it.each([
    [2026, 1, 'INV-2026-000001'],
    [2027, 999_999, 'INV-2027-999999'],
    [2027, 1_000_000, 'INV-2027-1000000'],
  ])('numbers the invoice of year %i and count %i as %s', (year, count, number) => {
    expect(invoiceNumber(year, count)).toBe(number);
  });
});
