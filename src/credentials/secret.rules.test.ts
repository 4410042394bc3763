import { assert as holds, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';

import { base62OfBytes, base62OfChecksum, splitSecret } from './secret.rules.ts';

const RANDOM = '0123456789abcdefghijABCDEFGHIJxy';

describe('A text is split as a secret', () => {
  it.each([
    ['supplier_key', `lms_${RANDOM}00000z`],
    ['buyer_token', `lmb_${RANDOM}ZZZZZZ`],
    ['operator_token', `lmo_${RANDOM}123456`],
  ])('as %s', (kind, text) => {
    expect(splitSecret(text)).toEqual({ kind, body: text.slice(0, 36), checksum: text.slice(36) });
  });
});

describe('A text is not split as a secret', () => {
  it.each([
    ['when empty', ''],
    ['with another prefix', `lmx_${RANDOM}000000`],
    ['with the prefix in capitals', `LMS_${RANDOM}000000`],
    ['when a character is missing', `lms_${RANDOM}00000`],
    ['when there is one more', `lms_${RANDOM}0000000`],
    ['with white space around it', ` lms_${RANDOM}000000`],
    ['with a line break after it', `lms_${RANDOM}000000\n`],
    ['with a character outside base62', `lms_${RANDOM}00000-`],
    ['with a digit that only looks like one', `lms_${RANDOM}00000０`],
    ['with the name of a prototype member', 'constructor'],
  ])('%s', (_case, text) => {
    expect(splitSecret(text)).toBeNull();
  });
});

describe('base62', () => {
  it('skips bytes that would make some digits more likely', () => {
    expect(base62OfBytes(Uint8Array.of(0, 9, 10, 35, 36, 61, 62, 247), 8)).toBe('09AZaz0z');
    expect(base62OfBytes(Uint8Array.of(248, 255, 1, 250, 2), 2)).toBe('12');
    expect(base62OfBytes(Uint8Array.of(1, 248), 2)).toBeNull();
  });

  it('maps exactly four byte values to each digit', () => {
    const counts = new Map<string, number>();
    for (let byte = 0; byte < 256; byte += 1) {
      const digit = base62OfBytes(Uint8Array.of(byte), 1);
      if (digit !== null) counts.set(digit, (counts.get(digit) ?? 0) + 1);
    }
    expect([counts.size, ...new Set(counts.values())]).toEqual([62, 4]);
  });

  it('keeps value and order of checksums in six characters', () => {
    expect(base62OfChecksum(0)).toBe('000000');
    expect(base62OfChecksum(61)).toBe('00000z');
    expect(base62OfChecksum(62)).toBe('000010');
    const checksum = integer({ min: 0, max: 2 ** 32 - 1 });
    holds(
      property(checksum, checksum, (one, other) => {
        const texts = [base62OfChecksum(one), base62OfChecksum(other)] as const;
        expect(texts[0]).toHaveLength(6);
        expect(Math.sign(one - other)).toBe(texts[0] < texts[1] ? -1 : texts[0] > texts[1] ? 1 : 0);
      }),
    );
  });
});
