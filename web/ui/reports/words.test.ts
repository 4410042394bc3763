import { describe, expect, it } from 'vitest';

import { changeInWords, keyInWords, valueInWords } from './words.ts';

describe('a change against the span before', () => {
  it.each([
    ['revenue', 112.5, 100, '+12.5%'],
    ['revenue', 0, 100, '-100%'],
    ['revenue', 100, 100, 'unchanged'],
    ['revenue', 999, 100, '+899%'],
    ['revenue', 4860, 100, '49×'],
    ['margin', 10, -5, 'more than before'],
    ['sold', 3, 0, 'none before'],
    ['returnRate', 0.031, 0.052, '-2.1 points'],
    ['sellThrough', null, 0.5, null],
    ['sellThrough', 0.5, undefined, null],
  ] as const)('%s from %s against %s is %s', (name, now, before, words) => {
    expect(changeInWords(name, { now, before })).toBe(words);
  });
});

describe('keys and values of a report', () => {
  it.each([
    ['day', '2026-11-20', 'Nov 20, 2026'],
    ['week', '2026-11-16', 'Week of Nov 16, 2026'],
    ['month', '2026-11', 'Nov 2026'],
    ['hour', '07', '07:00'],
    ['weekday', '7', 'Sunday'],
    ['source', null, '(none)'],
    ['supplier', 'acme', 'acme'],
  ] as const)('the %s %s is %s', (name, key, words) => {
    expect(keyInWords(name, key)).toBe(words);
  });

  it.each([
    ['revenue', 1234.5, '$1,234.50'],
    ['returnRate', 0.125, '12.5%'],
    ['medianSeconds', 4.2, '4.2 s'],
    ['sold', 1234, '1,234'],
    ['sellThrough', null, '—'],
  ] as const)('the %s %s is %s', (name, value, words) => {
    expect(valueInWords(name, value, 'USD')).toBe(words);
  });
});
