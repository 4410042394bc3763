import { describe, expect, it } from 'vitest';

import { sumsInWords } from './list-sums.ts';

const LEADS = { one: 'lead', many: 'leads' };
const DELIVERIES = { one: 'delivery', many: 'deliveries', spent: 'spent' };

describe('sumsInWords', () => {
  it.each([
    [{ rows: 412, isAll: true, sold: 371, amount: 11_240 }, LEADS, '412 leads, 371 sold, $11,240.00'],
    [{ rows: 1, isAll: true, sold: null, amount: 45.5 }, DELIVERIES, '1 delivery, $45.50 spent'],
    [{ rows: 20, isAll: false, sold: 3, amount: null }, LEADS, 'At least 20 leads, 3 sold'],
    [{ rows: 10_000, isAll: false, sold: null, amount: null }, LEADS, 'More than 10,000 leads'],
  ])('says %o', (sums, words, text) => {
    expect(sumsInWords({ ...sums, currency: 'USD' }, words)).toBe(text);
  });
});
