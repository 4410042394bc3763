import { describe, expect, it } from 'vitest';

import { checkFilters, type FilterCheck, type LeadValues } from './filter-evidence.rules.ts';

const lead: LeadValues = {
  state: 'CA',
  debtAmountCents: 2_450_000,
  score: 70,
  supplierKey: 'acme-media',
  source: 'search',
  tcpaConsent: true,
  hasEmail: true,
  hasPhone: false,
  own: {
    roof: { type: 'enum', value: 'tile', label: 'Roof' },
    bill: { type: 'money', value: 120.5 },
    zip: { type: 'zip', value: '94103' },
    born: { type: 'date', value: '1970-01-01', personal: true },
  },
};
const any = {
  states: [],
  statesNot: [],
  debtAmountCents: { min: null, max: null },
  minScore: null,
  suppliers: [],
  suppliersNot: [],
  sources: [],
  sourcesNot: [],
  requireConsent: false,
  requireEmail: false,
  requirePhone: false,
  fields: {},
};
const all = { locationOnly: false };

describe('Evidence of filters', () => {
  it.each<[string, object, Partial<LeadValues>, readonly [string, unknown, unknown, boolean]]>([
    ['a state that is wanted', { states: ['CA', 'OR'] }, {}, ['states', ['CA', 'OR'], 'CA', true]],
    ['a state that is not', { states: ['OR'] }, {}, ['states', ['OR'], 'CA', false]],
    ['no state where one is wanted', { states: ['OR'] }, { state: null }, ['states', ['OR'], null, false]],
    ['a state that is excluded', { statesNot: ['CA'] }, {}, ['statesNot', ['CA'], 'CA', false]],
    ['no state where one is excluded', { statesNot: ['CA'] }, { state: null }, ['statesNot', ['CA'], null, true]],
    [
      'an amount at the lower bound',
      { debtAmountCents: { min: 2_450_000, max: null } },
      {},
      ['debtAmount', { min: 24_500, max: null }, 24_500, true],
    ],
    [
      'an amount above the upper bound',
      { debtAmountCents: { min: null, max: 2_449_999 } },
      {},
      ['debtAmount', { min: null, max: 24_499.99 }, 24_500, false],
    ],
    [
      'no amount where there is a bound',
      { debtAmountCents: { min: 1, max: null } },
      { debtAmountCents: null },
      ['debtAmount', { min: 0.01, max: null }, null, false],
    ],
    ['a score', { minScore: 71 }, {}, ['minScore', 71, 70, false]],
    ['a supplier', { suppliers: ['acme-media'] }, {}, ['suppliers', ['acme-media'], 'acme-media', true]],
    [
      'an excluded supplier',
      { suppliersNot: ['acme-media'] },
      {},
      ['suppliersNot', ['acme-media'], 'acme-media', false],
    ],
    ['a source', { sources: ['mail'] }, {}, ['sources', ['mail'], 'search', false]],
    ['an excluded source', { sourcesNot: ['mail'] }, {}, ['sourcesNot', ['mail'], 'search', true]],
    ['consent', { requireConsent: true }, {}, ['requireConsent', true, true, true]],
    ['an email address', { requireEmail: true }, {}, ['requireEmail', true, true, true]],
    ['a phone number', { requirePhone: true }, {}, ['requirePhone', true, false, false]],
  ])('of %s contains the condition and the value found', (_, filters, values, [filter, wanted, found, holds]) => {
    expect(checkFilters({ ...any, ...filters }, { ...lead, ...values }, all)).toEqual([
      { filter, wanted, found, holds },
    ]);
  });

  it('is empty for filters that are not set', () => {
    expect(checkFilters(any, lead, all)).toEqual([]);
  });

  it('with locationOnly contains the filters on states alone', () => {
    const filters = { ...any, states: ['OR'], statesNot: ['NV'], minScore: 90 };
    const checks = checkFilters(filters, lead, { locationOnly: true });
    expect(checks.map(({ filter, holds }) => [filter, holds])).toEqual([
      ['states', false],
      ['statesNot', true],
    ]);
    expect(checkFilters(filters, lead, all)).toHaveLength(3);
  });

  it.each<[string, object, Omit<FilterCheck, 'filter' | 'wanted'>]>([
    ['roof', { in: ['flat'] }, { label: 'Roof', found: 'tile', holds: false }],
    ['bill', { min: 100, max: 120.5 }, { found: 120.5, holds: true }],
    ['zip', { in: ['941*'], notIn: ['94104'] }, { found: '94103', holds: true }],
    ['zip', { notIn: ['941*'] }, { found: '94103', holds: false }],
    ['rooms', { min: 3 }, { found: null, holds: false }],
    ['rooms', { notIn: [3] }, { found: null, holds: true }],
    ['born', { min: '1990-01-01' }, { found: null, personal: true, holds: false }],
  ])('of the own field %s with %j contains what the lead had', (name, wanted, check) => {
    expect(checkFilters({ ...any, fields: { [name]: wanted } }, lead, all)).toEqual([
      { filter: `fields.${name}`, wanted, ...check },
    ]);
  });

  it('with locationOnly contains own filters on ZIP codes as well', () => {
    const filters = { ...any, states: ['OR'], fields: { roof: { in: ['flat'] }, zip: { in: ['970*'] } } };
    expect(checkFilters(filters, lead, { locationOnly: true })).toEqual([
      { filter: 'states', wanted: ['OR'], found: 'CA', holds: false },
      { filter: 'fields.zip', wanted: { in: ['970*'] }, found: '94103', holds: false },
    ]);
  });

  it.each([
    'x',
    { roof: null },
    { roof: { in: 'flat', min: {}, is: 1 } },
    { roof: { in: null } },
    { roof: { in: [[]] } },
  ])('ignores own filters of another form: %j', (fields) => {
    expect(checkFilters({ ...any, fields }, lead, all)).toEqual([]);
  });

  it.each([undefined, null, [], 'x', { states: 'CA', debtAmountCents: 5, minScore: '7', requireEmail: 1 }])(
    'ignores values of another form: %j',
    (filters) => {
      expect(checkFilters(filters, lead, all)).toEqual([]);
    },
  );
});
