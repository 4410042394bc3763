import { describe, expect, it } from 'vitest';

import { trendWords } from './trend-words.ts';

describe('the words of a trend', () => {
  it('compare the last seven days with the seven before and leave out older ones', () => {
    const days = [900, ...Array.from({ length: 7 }, () => 100), ...Array.from({ length: 7 }, () => 200)];
    expect(trendWords(days, 'lead')).toBe('1,400 leads in 7 days, 700 in the 7 days before');
  });

  it('name a single lead and days without any', () => {
    expect(trendWords([0, 1], 'lead')).toBe('1 lead in 7 days, 0 in the 7 days before');
  });
});
