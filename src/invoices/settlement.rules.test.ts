import { describe, expect, test } from 'vitest';

import { amountsAtIssue, dueAfter, freeCents, invoiceNumber, type BalanceSummary } from './settlement.rules.ts';

const nothing: BalanceSummary = {
  balanceCents: 0,
  dueCents: 0,
  unbilledChargesCents: 0,
  unbilledCreditsCents: 0,
  carriedCents: 0,
};

describe('Of the balance is free', () => {
  test.each<[string, Partial<BalanceSummary>, number]>([
    ['all of an advance payment', { balanceCents: 1000 }, 1000],
    ['what sales that are not invoiced will not take', { balanceCents: 400, unbilledChargesCents: 600 }, 1000],
    ['nothing of a credit that is still to be invoiced', { balanceCents: 45, unbilledCreditsCents: 45 }, 0],
    ['nothing of what is carried to the next invoice', { balanceCents: 45, carriedCents: 45 }, 0],
    ['nothing where an invoice is due', { balanceCents: -4500, dueCents: 4500 }, 0],
    ['less than nothing after an adjustment', { balanceCents: -2000 }, -2000],
  ])('%s', (_case, part, free) => {
    expect(freeCents({ ...nothing, ...part })).toBe(free);
  });
});

describe('An invoice', () => {
  type Sums = [subtotal: number, credits: number, carriedIn?: number];
  test.each<[string, Sums, free: number, [total: number, carriedOut: number, balance: number, due: number]]>([
    ['of a partner that pays afterwards is due', [4500, 0], 0, [4500, 0, 0, 4500]],
    ['of a partner that paid before is paid', [4500, 0], 10_000, [4500, 0, 4500, 0]],
    ['is paid by the last cent, too', [4500, 0], 4500, [4500, 0, 4500, 0]],
    ['is due in part where the rest was paid before', [4500, 0], 1500, [4500, 0, 1500, 3000]],
    ['takes no debt that stands on no invoice', [4500, 0], -2000, [4500, 0, 0, 4500]],
    ['less its credits is due', [9000, 4500], 0, [4500, 0, 0, 4500]],
    ['of more credits than charges has a total of 0 and carries the rest', [0, 4500], 0, [0, 4500, 0, 0]],
    ['of more credits than charges needs nothing that is free', [1000, 4500], 700, [0, 3500, 0, 0]],
    ['of equal credits and charges has nothing due', [4500, 4500], -1, [0, 0, 0, 0]],
    ['is less by what was carried to it', [6000, 0, 4500], 0, [1500, 0, 0, 1500]],
    ['carries on what it cannot use of what was carried to it', [1000, 500, 4500], 0, [0, 4000, 0, 0]],
  ])('%s', (_case, [subtotalCents, creditsCents, carriedInCents = 0], free, [total, carriedOut, balance, due]) => {
    expect(amountsAtIssue({ subtotalCents, creditsCents, carriedInCents }, free)).toEqual({
      ...{ subtotalCents, creditsCents, carriedInCents, carriedOutCents: carriedOut },
      ...{ totalCents: total, fromBalanceCents: balance, amountDueCents: due },
    });
  });

  test('is due 14 days after issue, to the millisecond', () => {
    expect(dueAfter(new Date('2026-11-01T08:00:00.123Z'))).toEqual(new Date('2026-11-15T08:00:00.123Z'));
  });

  test.each([
    [2026, 1, 'INV-2026-000001'],
    [2027, 999_999, 'INV-2027-999999'],
    [2027, 1_000_000, 'INV-2027-1000000'],
  ])('of %i with the count %i is called %s', (year, count, number) => {
    expect(invoiceNumber(year, count)).toBe(number);
  });
});
