import { describe, expect, it } from 'vitest';

import { fieldChanges, fieldsOfNew } from './field-changes.rules.ts';

describe('The difference between two forms', () => {
  it.each([
    ['nothing', { a: 1, b: [1, { c: null }] }, { a: 1, b: [1, { c: null }] }, {}],
    ['a value', { a: 1 }, { a: 2 }, { a: { from: 1, to: 2 } }],
    ['a member of a map, with a dot', { a: { b: 1, c: 2 } }, { a: { b: 1, c: 3 } }, { 'a.c': { from: 2, to: 3 } }],
    ['a list as a whole', { a: [1, 2] }, { a: [2, 1] }, { a: { from: [1, 2], to: [2, 1] } }],
    ['a map in place of null', { a: null }, { a: { b: 1 } }, { a: { from: null, to: { b: 1 } } }],
    ['text for a map', { a: 'x' }, { a: { b: 1 } }, { a: { from: 'x', to: { b: 1 } } }],
    [
      'a field mapping as a whole, its order too',
      { fieldMapping: { 'a.b': 'email', c: 'phone' } },
      { fieldMapping: { c: 'phone', 'a.b': 'email' } },
      { fieldMapping: { from: { 'a.b': 'email', c: 'phone' }, to: { c: 'phone', 'a.b': 'email' } } },
    ],
  ])('%s', (_, from, to, changes) => {
    expect(fieldChanges(from, to)).toEqual(changes);
  });

  it('lists the set members of a new entry, without its key', () => {
    const form = {
      key: 'west',
      payout: 0,
      caps: { daily: 5, weekly: null },
      filters: { states: [], test: false },
      booking: null,
    };
    expect(fieldsOfNew(form)).toEqual({ payout: { from: null, to: 0 }, caps: { from: null, to: { daily: 5 } } });
    const mapping = { $set: { tcpa_consent: false, source: null } };
    expect(fieldsOfNew({ fieldMapping: mapping })).toEqual({ fieldMapping: { from: null, to: mapping } });
    expect(fieldsOfNew({ fieldMapping: {} })).toEqual({});
  });
});
