// Tests how written amounts are read into cents (contract 7.11, 13.5).
import { describe, expect, it } from 'vitest';

import { readAmountText } from './amount-text.ts';

const BANK = { currency: 'USD', separators: 'either', decimals: 'exact' } as const;
const PRICE = { currency: 'USD', separators: 'english', decimals: 'half_up' } as const;

describe('readAmountText', () => {
  it.each([
    ['1250.00', 125_000],
    ['1,250.00', 125_000],
    ['1.250,00', 125_000],
    ['1 250,00', 125_000],
    ['1\u202f250,00', 125_000],
    ["1'250.5", 125_050],
    ['1’250.50', 125_050],
    ['1250', 125_000],
    ['1,234,567.89', 123_456_789],
    ['1.234.567', 123_456_700],
    ['12,34,567.89', 123_456_789],
    ['-80,50', -8050],
    ['80,50-', -8050],
    ['\u221280,50', -8050],
    ['(80.50)', -8050],
    ['($80.50)', -8050],
    ['+80.50', 8050],
    ['$1,250.00', 125_000],
    ['US$ 1,250.00', 125_000],
    ['45,00 usd', 4500],
    ['USD 45,00', 4500],
    ['-$45.00', -4500],
    ['０.０７', 7],
    ['.07', 7],
    ['0.070', 7],
    ['84.0000', 8400],
    ['84.0001', 'unreadable'],
    ['1.250', 'ambiguous'],
    ['1,250', 'ambiguous'],
    ['45,001', 'ambiguous'],
    ['12.345.6', 'unreadable'],
    ['1,250,00', 'unreadable'],
    ['1.2.3', 'unreadable'],
    ['84,-', 'unreadable'],
    ['', 'unreadable'],
    ['-', 'unreadable'],
    ['--5', 'unreadable'],
    ['-5-', 'unreadable'],
    ['(-5)', 'unreadable'],
    ['(5', 'unreadable'],
    ['1e5', 'unreadable'],
    ['NaN', 'unreadable'],
    ['12 34', 'unreadable'],
    ['12345678901', 'unreadable'],
    [`1${' '.repeat(200_000)}!,`, 'unreadable'],
    ['45,00 EUR', 'other_currency'],
    ['£45.00', 'other_currency'],
  ])('reads %j of a bank as %j', (text, expected) => {
    const read = readAmountText(text, BANK);
    const cents = read.ok && (read.mark === '' ? (read.sign === '-' ? -read.cents : read.cents) : 'unreadable');
    expect(read.ok ? cents : read.why).toBe(expected);
  });

  it.each([
    ['12.5000', 1250],
    ['12.3333', 1233],
    ['12.345', 1235],
    ['12.3449999', 1234],
    ['0.005', 1],
    ['1,012.50', 101_250],
    ['1,012', 101_200],
    ['1.012', 101],
    ['12,50', 1250],
    ['$12.50', 1250],
    ['12.50 USD', 1250],
    ['1.012,50', 101_250],
    ['12.50 €', 'other_currency'],
    ['12.50 each', 'each'],
    ['free', 'unreadable'],
  ])('reads the price %j as %j', (text, expected) => {
    const read = readAmountText(text, PRICE);
    expect(read.ok ? (read.mark === '' ? read.cents : read.mark) : read.why).toBe(expected);
  });

  it('takes a letter with a point before the digits for no decimal point', () => {
    expect(readAmountText('kr.84', { ...BANK, currency: 'DKK' })).toEqual({
      ok: true,
      cents: 8400,
      sign: '',
      mark: '',
    });
    expect(readAmountText('Fr.84', BANK)).toMatchObject({ mark: 'fr' });
  });
});
