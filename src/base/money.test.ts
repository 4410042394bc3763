import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { centsOfNumber, formatCents, parseCents, parseSignedCents, wireAmount } from './money.ts';

describe('The text of an amount', () => {
  it.each([
    ['0', 0],
    ['0.01', 1],
    ['0.1', 10],
    ['12', 1200],
    ['12.5', 1250],
    ['12.05', 1205],
    ['007.50', 750],
    ['999999999.99', 99_999_999_999],
  ])('%s is %d cents', (text, cents) => {
    expect(parseCents(text)).toBe(cents);
  });

  it.each([
    '',
    ' ',
    '.',
    '.5',
    '5.',
    '1.234',
    '1,000',
    '1e3',
    '+1',
    '-1',
    ' 1',
    '1 ',
    '1\n',
    '0x10',
    'NaN',
    'Infinity',
    '１２',
    '1234567890',
    '1.2.3',
  ])('%j is not read as an amount', (text) => {
    expect(parseCents(text)).toBeNull();
  });

  it.each([
    ['-12.50', -1250],
    ['12.50', 1250],
    ['-0', 0],
    ['-0.00', 0],
    ['--1', null],
    ['-', null],
    ['- 1', null],
    ['+1', null],
  ])('%s with a sign is %s cents', (text, cents) => {
    expect(parseSignedCents(text)).toBe(cents);
  });
});

describe('The number of an amount', () => {
  it.each([
    [0, 0],
    [-0, 0],
    [45, 4500],
    [45.5, 4550],
    [0.29, 29],
    [1.005, null],
    [1.15, 115],
    [8.2, 820],
    [-4.35, -435],
    [0.001, null],
    [1e-20, null],
    [999_999_999.99, 99_999_999_999],
    [1e9, null],
    [-1e9, null],
    [Number.NaN, null],
    [Number.POSITIVE_INFINITY, null],
    [Number.MAX_SAFE_INTEGER, null],
  ])('%d is %s cents', (amount, cents) => {
    expect(centsOfNumber(amount)).toBe(cents);
  });
});

describe('Cents', () => {
  it.each([
    [0, '0.00', 0],
    [1, '0.01', 0.01],
    [99, '0.99', 0.99],
    [4500, '45.00', 45],
    [4550, '45.50', 45.5],
    [-5, '-0.05', -0.05],
    [-4550, '-45.50', -45.5],
    [99_999_999_999, '999999999.99', 999_999_999.99],
  ])('%d are written %s and sent as %d', (cents, text, amount) => {
    expect(formatCents(cents)).toBe(text);
    expect(wireAmount(cents)).toBe(amount);
  });

  const cents = fc.integer({ min: -99_999_999_999, max: 99_999_999_999 });

  it('come back from every form that they take', () => {
    fc.assert(
      fc.property(cents, (amount) => {
        expect(parseSignedCents(formatCents(amount))).toBe(amount);
        expect(centsOfNumber(wireAmount(amount))).toBe(amount);
        // As JSON carries it.
        expect(centsOfNumber(JSON.parse(JSON.stringify(wireAmount(amount))) as number)).toBe(amount);
      }),
      { numRuns: 2000 },
    );
  });

  it('have at most two decimals on the wire', () => {
    fc.assert(
      fc.property(cents, (amount) => {
        expect(JSON.stringify(wireAmount(amount))).toMatch(/^-?\d+(?:\.\d{1,2})?$/);
      }),
    );
  });
});
