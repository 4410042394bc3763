import * as fc from 'fast-check';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { describe, expect, it } from 'vitest';
import { isValidLine, readPhone } from './phone.rules.ts';

describe('readPhone and isValidLine', () => {
  it.each([
    ['+15555550123', '+15555550123'],
    ['+1 555 555 0123', '+15555550123'],
    ['+1 (555) 555-0123', '+15555550123'],
    ['+1.555.555.0123', '+15555550123'],
    ['+1-(555)--555 . 0123', '+15555550123'],
    ['+1 1 555 555 0123', '+15555550123'],
    ['+12133734253', '+12133734253'],
    ['+14165550123', '+14165550123'],
    ['+442079460958', '+442079460958'],
    ['+44 (0) 20 7946 0958', '+442079460958'],
    ['+49 30 901820', '+4930901820'],
    ['+6834000', '+6834000'],
    ['+78005553535', '+78005553535'],
  ])('read %s as %s', (text, e164) => {
    expect(readPhone(text)).toBe(e164);
  });

  it.each([
    '',
    '+',
    '5555550123',
    '15555550123',
    '001 555 555 0123',
    '+1555555012',
    '+155555501234',
    '+05555550123',
    '+123456',
    '+1234567890123456',
    '+999123456789',
    '++15555550123',
    '+ 15555550123',
    '+(1)5555550123',
    '+15555550123 ',
    '+1 (555) 555-0123)',
    '+1 555 555 0123 x4',
    '+2474012.0',
    '+1.555.555.012.3',
    '+1 555 555 0123 ext. 4',
    '+1-800-FLOWERS',
    '+1/555/555/0123',
    '+1\u00a0555\u00a0555\u00a00123',
    '+1\t5555550123',
    '+1555555012３',
    '+１5555550123',
    'tel:+15555550123',
    '+1;ext=4',
    `+1${' '.repeat(400)}555555012`,
  ])('reject %j', (text) => {
    expect(readPhone(text)).toBeNull();
  });

  it.each([
    ['+12133734253', true],
    ['+18005550199', true],
    ['+14165550123', true],
    ['+12684601234', true],
    ['+17872345678', true],
    ['+15555550123', false],
    ['+11234567890', false],
    ['+12133734', false],
    ['+442079460958', true],
    ['+441111111111', false],
  ])('decide whether the line %s can exist: %s', (e164, expected) => {
    expect(isValidLine(e164)).toBe(expected);
  });

  const digits = (min: number, max: number): fc.Arbitrary<string> =>
    fc.string({ unit: fc.integer({ min: 0, max: 9 }).map(String), minLength: min, maxLength: max });

  it('read any number exactly as the library does', () => {
    const numbers = fc.oneof(
      digits(7, 15),
      digits(9, 12).map((rest) => `1${rest}`),
    );
    fc.assert(
      fc.property(numbers, (text) => {
        const parsed = parsePhoneNumberFromString(`+${text}`);
        const isPossible = !text.startsWith('0') && parsed?.isPossible() === true && /^\+\d{7,15}$/.test(parsed.number);
        expect(readPhone(`+${text}`)).toBe(text.length <= 15 && isPossible ? parsed.number : null);
      }),
      { numRuns: 2000 },
    );
  });

  it('accept the same lines as the library in every North American area code', () => {
    const differing: string[] = [];
    for (let area = 200; area < 1000; area += 1) {
      // The exchanges where patterns of area codes part, and two that wander through all.
      for (const exchange of [
        200,
        211,
        253,
        400,
        456,
        460,
        555,
        722,
        900,
        200 + ((area * 7) % 800),
        999 - (area % 800),
      ]) {
        const e164 = `+1${area}${exchange}${String((area * exchange) % 10_000).padStart(4, '0')}`;
        if (isValidLine(e164) !== (parsePhoneNumberFromString(e164)?.isValid() ?? false)) differing.push(e164);
      }
    }
    expect(differing).toEqual([]);
  });

  it('accept any +1 number exactly when the library does', () => {
    fc.assert(
      fc.property(digits(9, 9), fc.constantFrom('2', '3', '4', '5', '6', '7', '8', '9'), (rest, first) => {
        const e164 = `+1${first}${rest}`;
        expect(isValidLine(e164)).toBe(parsePhoneNumberFromString(e164)?.isValid() ?? false);
      }),
      { numRuns: 2000 },
    );
  });
});
