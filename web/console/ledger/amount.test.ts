import { describe, expect, it } from 'vitest';

import { readAmount, sumOf } from './amount.ts';

describe('a typed amount', () => {
  it.each([
    ['100', 100],
    ['100.5', 100.5],
    [' 1,234.50 ', 1234.5],
    ['-12.34', -12.34],
    ['−12', -12],
    ['$ 40.00', 40],
    ['-$5', -5],
    ['+7', 7],
    ['0', 0],
    ['', null],
    ['1.234', null],
    ['1,23', null],
    ['12.', null],
    ['1e3', null],
    ['ten', null],
    ['1000000000', null],
  ])('%j is read as %j', (text, amount) => {
    expect(readAmount(text)).toBe(amount);
  });
  it('is added exactly', () => {
    expect(sumOf(0.1, 0.2)).toBe(0.3);
    expect(sumOf(-45.5, 45.5)).toBe(0);
    expect(sumOf(1_234_567.89, 0.01)).toBe(1_234_567.9);
  });
});
