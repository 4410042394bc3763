import { describe, expect, it } from 'vitest';

import { auditValueInWords } from './value-words.ts';

describe('values of the partner’s audit log', () => {
  it.each([
    ['credit', 32, '$32.00'],
    ['currentBalance', -710, '-$710.00'],
    ['billing.creditLimit', 5000, '$5,000.00'],
    ['reason', 'out_of_filter', 'Outside agreed filter criteria'],
    ['reason', 'closed by the operator', null],
    ['credit', null, null],
    ['bytes', 4096, null],
  ])('show %s %j as %j', (field, value, words) => {
    expect(auditValueInWords(field, value, 'USD')).toBe(words);
  });
});
