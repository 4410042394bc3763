import { describe, expect, it } from 'vitest';

import { formatMoney, formatNumber, formatShare } from './formats.ts';

describe('numbers on the pages', () => {
  it.each([
    ['an amount', (value: number) => formatMoney(value, 'USD')],
    ['a number', formatNumber],
    ['a share', formatShare],
  ])('have no words for %s that a response lacks', (_, format) => {
    const { missing } = {} as { missing: number };
    expect(() => format(missing)).toThrow(TypeError);
    expect(format(0)).toMatch(/0/);
  });
});
