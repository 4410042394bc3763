import { assert as holds, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { versionsOfPage } from './entry.rules.ts';

describe('versionsOfPage', () => {
  it.each([
    ['the newest entries', 60, 1, 25, { after: 35, upTo: 60 }],
    ['the entries of a middle page', 60, 2, 25, { after: 10, upTo: 35 }],
    ['the remaining entries', 60, 3, 25, { after: 0, upTo: 10 }],
    ['all entries', 60, 1, 100, { after: 0, upTo: 60 }],
    ['null past the end', 60, 4, 25, null],
    ['null far past the end', 60, 999_999_999_999_999, 100, null],
    ['null for an empty ledger', 0, 1, 25, null],
  ] as const)('returns %s', (_case, total, page, pageSize, range) => {
    expect(versionsOfPage(total, page, pageSize)).toEqual(range);
  });

  it('covers every entry exactly once over all pages', () => {
    holds(
      property(integer({ min: 0, max: 500 }), integer({ min: 1, max: 100 }), (total, pageSize) => {
        const seen: number[] = [];
        for (let page = 1; page <= Math.ceil(total / pageSize); page += 1) {
          const range = versionsOfPage(total, page, pageSize);
          for (let version = range?.upTo ?? 0; version > (range?.after ?? 0); version -= 1) seen.push(version);
        }
        expect(seen).toEqual(Array.from({ length: total }, (_item, index) => total - index));
      }),
    );
  });
});
