import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { mayHoldInexactNumbers, withExactNumbers } from './exact-numbers.rules.ts';

describe('The numbers of a JSON text', () => {
  it.each([
    '9007199254740993',
    '-9007199254740993',
    '12345678901234567890',
    '0.12345678901234567890',
    '123456789012345678901234567890.5',
    '1e-400',
    '5e-324000',
    '123456789012345678e3',
  ])('are kept as sent, in every position: %s', (number) => {
    const text = `{"a":${number},"b":[${number},{"c":${number}}]}`;
    expect(mayHoldInexactNumbers(text)).toBe(true);
    expect(JSON.stringify(withExactNumbers(text))).toBe(text);
  });

  it.each([
    '0',
    '-0',
    '1',
    '24500.50',
    '0.1',
    '1e3',
    '1E+3',
    '1.5e-7',
    '5e-324',
    '9007199254740992',
    '24500.0000000000000000',
    '100000000000000000000',
    '1.7976931348623157e308',
    '0e999',
  ])('are kept by value: %s', (number) => {
    expect(withExactNumbers(`{"a":${number}}`)).toEqual({ a: Number(number) });
  });

  it('differ if they differ beyond the precision of doubles', () => {
    const one = JSON.stringify(withExactNumbers('[9007199254740993]'));
    expect(one).not.toBe(JSON.stringify(withExactNumbers('[9007199254740992]')));
  });

  it('are not suspected of inexactness in the usual notation', () => {
    const text =
      '{"phone":"+1 555 555 0123","debt":24500.50,"at":"2026-11-20T17:03:11.000Z","ip":"203.0.113.24","id":123456789012345}';
    expect(mayHoldInexactNumbers(text)).toBe(false);
  });

  it('are unchanged for any double', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (double) => {
        expect(withExactNumbers(`[${JSON.stringify(double)}]`)).toEqual([double === 0 ? 0 : double]);
      }),
    );
  });

  it('are written as sent or equal for any text of digits', () => {
    const digits = fc.stringMatching(/^-?(?:0|[1-9]\d{0,30})(?:\.\d{1,30})?$/);
    fc.assert(
      fc.property(digits, (number) => {
        const written = JSON.stringify(withExactNumbers(`[${number}]`)).slice(1, -1);
        if (written === number) return;
        expect(BigInt(scaled(written))).toBe(BigInt(scaled(number)));
      }),
    );
  });
});

/** The number times 10^60, exactly; without exponents below 10^21 and above 10^-7, where JSON.stringify writes none. */
function scaled(number: string): string {
  const [mantissa = '', power = '0'] = number.split(/e/);
  const [whole = '', part = ''] = mantissa.split('.');
  const places = 60 + Number(power) - part.length;
  return `${whole}${part}${'0'.repeat(places)}`;
}

describe('A long number with zeros inside', () => {
  it('is read in linear time', () => {
    const text = `{"a":1.${'0'.repeat(65_000)}1}`;
    const before = process.cpuUsage();
    expect(JSON.stringify(withExactNumbers(text))).toBe(text);
    const { user, system } = process.cpuUsage(before);
    // Less than 5 ms; a pattern that looks for the last zeros from each zero on takes 3 s.
    expect((user + system) / 1000).toBeLessThan(1000);
  });
});
