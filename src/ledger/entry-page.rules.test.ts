import { assert as holds, integer, property } from 'fast-check';
import { describe, expect, test } from 'vitest';

import { versionsOfPage } from './entry-page.rules.ts';

describe('A page of entries', () => {
  test.each([
    ['the newest', 60, 1, 25, { after: 35, upTo: 60 }],
    ['those in the middle', 60, 2, 25, { after: 10, upTo: 35 }],
    ['the rest', 60, 3, 25, { after: 0, upTo: 10 }],
    ['all', 60, 1, 100, { after: 0, upTo: 60 }],
    ['nothing past the end', 60, 4, 25, null],
    ['nothing far past the end', 60, 999_999_999_999_999, 100, null],
    ['nothing of an empty ledger', 0, 1, 25, null],
  ] as const)('holds %s', (_case, total, page, pageSize, range) => {
    expect(versionsOfPage(total, page, pageSize)).toEqual(range);
  });

  test('and the pages before and after it hold every entry once', () => {
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
