import { describe, expect, it } from 'vitest';

import { wordsOf } from './text-parts.rules.ts';

describe('wordsOf', () => {
  it.each([
    ['Summit Debt, Inc. (U.S.)', ['Summit ', 'Debt, ', 'Inc. ', '(U.S.)']],
    ['2026-10-01 to 5%', ['2026-', '10-', '01 ', 'to ', '5%']],
    ['12,300.00 USD', ['12,300.00 ', 'USD']],
    ['100\u00a0000', ['100\u00a0000']],
    ['株式会社（東京）。次', ['株式会社', '（東京）。', '次']],
    ['บริษัทไทย', ['บริษัท', 'ไทย']],
    [' a', [' ', 'a']],
    ['', []],
  ])('splits %j into %j', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
    expect(wordsOf(text).join('')).toBe(text);
  });
});
