import { describe, expect, it } from 'vitest';

import { sumsInWords, type SumWords } from './list-sums.ts';

const LEADS: SumWords = { unit: ['lead', 'leads'], counts: { sold: 'sold' }, amounts: { charged: '' } };
const DELIVERIES: SumWords = { unit: ['delivery', 'deliveries'], amounts: { spent: 'spent' } };
const ENTRIES: SumWords = { amounts: { debited: 'debited', credited: 'credited' } };
const CUT = { rows: 10_000, isAll: false, counts: {}, amounts: {} };

describe('sumsInWords', () => {
  it.each([
    [
      { rows: 412, isAll: true, counts: { sold: 371 }, amounts: { charged: 11_240 } },
      LEADS,
      '412 leads, 371 sold, $11,240.00',
    ],
    [{ rows: 1, isAll: true, counts: {}, amounts: { spent: 45.5 } }, DELIVERIES, '1 delivery, $45.50 spent'],
    [{ rows: 20, isAll: false, counts: { sold: 3 }, amounts: {} }, LEADS, 'At least 20 leads, 3 sold'],
    [CUT, LEADS, 'More than 10,000 leads'],
    [
      { rows: 9, isAll: true, counts: {}, amounts: { credited: 0, debited: 12 } },
      ENTRIES,
      '$12.00 debited, $0.00 credited',
    ],
    [CUT, ENTRIES, ''],
  ])('says %o', (sums, words, text) => {
    expect(sumsInWords({ ...sums, currency: 'USD' }, words)).toBe(text);
  });
});
