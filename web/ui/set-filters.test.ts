import { describe, expect, it } from 'vitest';

import { choiceFilter, dayFilter, pageFilter, textFilter } from './filters.ts';
import { findSetFilters, labelIn } from './set-filters.ts';

const FILTERS = {
  search: textFilter,
  status: choiceFilter(['any', 'sold', 'held']),
  from: dayFilter,
  until: dayFilter,
  page: pageFilter,
};
const NONE = { search: '', status: 'any', from: '', until: '', page: 1 };
const WORDS = {
  search: ['Search'],
  status: ['Status', labelIn([{ value: 'sold', label: 'Sold' }])],
} as const;

describe('the filters that are set', () => {
  it.each([
    [{}, []],
    [{ page: 7 }, []],
    [{ search: '  ' }, []],
    [{ search: 'jordan', status: 'sold' }, ['Search: jordan', 'Status: Sold']],
    [{ status: 'held' }, ['Status: held']],
    [{ from: '2026-11-01', until: '2026-11-07' }, ['Nov 1, 2026 – Nov 7, 2026']],
    [{ from: '2026-11-01', until: '2026-11-01' }, ['Nov 1, 2026']],
    [{ from: '2026-11-01' }, ['From Nov 1, 2026']],
    [{ until: '2026-11-07' }, ['Through Nov 7, 2026']],
    [{ from: '2026-99-99' }, ['From 2026-99-99']],
  ])('are of %j: %j', (values, texts) => {
    expect(findSetFilters(FILTERS, { ...NONE, ...values }, WORDS).map(({ text }) => text)).toEqual(texts);
  });

  it('name both days of a span, so that both are reset', () => {
    expect(findSetFilters(FILTERS, { ...NONE, from: '2026-11-01' }, WORDS)).toEqual([
      { names: ['from', 'until'], text: 'From Nov 1, 2026' },
    ]);
  });
});
