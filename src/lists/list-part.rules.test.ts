import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { distinctEntries, readExpiry } from './list-part.rules.ts';

describe('distinctEntries', () => {
  it('has each value once with its latest expiry, by rising hash', () => {
    const entry = fc.record({
      hash: fc.bigInt({ min: -5n, max: 5n }).map(String),
      expiresAt: fc.option(fc.date({ min: new Date(0), max: new Date(5), noInvalidDate: true })),
    });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 30 }), (entries) => {
        const distinct = distinctEntries(entries);
        const hashes = distinct.map(({ hash }) => Number(hash));
        expect(hashes).toEqual([...new Set(entries.map(({ hash }) => Number(hash)))].toSorted((a, b) => a - b));
        for (const { hash, expiresAt } of distinct) {
          const all = entries.filter((one) => one.hash === hash).map((one) => one.expiresAt?.getTime() ?? Infinity);
          expect(expiresAt?.getTime() ?? Infinity).toBe(Math.max(...all));
        }
      }),
    );
  });
});

describe('readExpiry', () => {
  it.each([
    ['2027-11-20T15:04:05Z', '2027-11-20T15:04:05.000Z'],
    ['2027-11-20T15:04:05+02:00', '2027-11-20T13:04:05.000Z'],
    ['2027-11-20', '2027-11-21T00:00:00.000Z'],
    ['2027-02-30', undefined],
    ['20.11.2027', undefined],
    ['', undefined],
  ])('reads %j as %s', (text, expected) => {
    expect(readExpiry(text)?.toISOString()).toBe(expected);
  });
});
