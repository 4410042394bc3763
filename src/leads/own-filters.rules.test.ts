import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { OwnFields, OwnValue } from './lead-fields.ts';
import { failedOwnFilter, type FieldFilter } from './own-filters.rules.ts';

const own: OwnFields = {
  roof: { type: 'enum', value: 'tile', label: 'Roof' },
  bill: { type: 'money', value: 120.5 },
  rooms: { type: 'integer', value: 4 },
  owner: { type: 'boolean', value: false },
  zip: { type: 'zip', value: '94103-1234' },
  code: { type: 'zip', value: 'K1A 0B1' },
  built: { type: 'date', value: '2001-05-06' },
  seen: { type: 'datetime', value: '2026-11-25T10:00:00.000Z' },
  born: { type: 'date', value: '1970-01-01', personal: true },
  note: { type: 'text', value: 'inside', hidden: true },
};

describe('A filter on an own field', () => {
  it.each<[string, Record<string, FieldFilter>, string | null]>([
    ['admits a value in the list', { roof: { in: ['flat', 'tile'] } }, null],
    ['leaves out a value not in the list', { roof: { in: ['flat'] } }, 'field_not_wanted'],
    ['leaves out an excluded value', { roof: { notIn: ['tile'] } }, 'field_excluded'],
    ['compares text in its capitals', { roof: { in: ['Tile'] } }, 'field_not_wanted'],
    ['admits both bounds themselves', { bill: { min: 120.5, max: 120.5 } }, null],
    ['leaves out a value below the minimum', { bill: { min: 120.51 } }, 'field_too_low'],
    ['leaves out a value above the maximum', { rooms: { max: 3 } }, 'field_too_high'],
    ['compares a number with a list of numbers', { rooms: { in: [3, 4] } }, null],
    ['does not take a number for a text of its digits', { rooms: { in: ['4'] } }, 'field_not_wanted'],
    ['does not compare a number with a text', { rooms: { min: '1' } }, 'field_too_low'],
    ['admits a false value that is wanted', { owner: { is: false } }, null],
    ['leaves out a false value where true is wanted', { owner: { is: true } }, 'field_not_wanted'],
    ['admits a nine-digit zip code by its five digits', { zip: { in: ['94103'] } }, null],
    ['admits a zip code by its beginning', { zip: { in: ['941*'] } }, null],
    ['admits a zip code by one digit', { zip: { in: ['9*'] } }, null],
    ['leaves out a zip code with another beginning', { zip: { in: ['942*', '94104'] } }, 'field_not_wanted'],
    ['does not take a code without * for a beginning', { zip: { in: ['941'] } }, 'field_not_wanted'],
    ['leaves out a zip code with an excluded beginning', { zip: { notIn: ['941*'] } }, 'field_excluded'],
    ['admits a Canadian code by its beginning', { code: { in: ['K1A*'] } }, null],
    ['leaves out a Canadian code with another beginning', { code: { in: ['K1B*'] } }, 'field_not_wanted'],
    ['compares days in their order', { built: { min: '2001-05-06', max: '2001-12-31' } }, null],
    ['leaves out a later day', { built: { max: '2001-05-05' } }, 'field_too_high'],
    ['compares instants in their order', { seen: { min: '2026-11-25T10:00:00.001Z' } }, 'field_too_low'],
    ['leaves out a lead without a wanted field', { other: { in: ['a'] } }, 'field_missing'],
    ['leaves out a lead without a field with a bound', { other: { min: 1 } }, 'field_missing'],
    ['leaves out a lead without a field that must be false', { other: { is: false } }, 'field_missing'],
    ['admits a lead without a field that only excludes values', { other: { notIn: ['a'] } }, null],
    ['does not find members that every object has', { constructor: { notIn: ['a'] }, to_string: {} }, null],
  ])('%s', (_, filters, code) => expect(failedOwnFilter(filters, own)?.code ?? null).toBe(code));

  it('names the field, its label, the value and what is wanted', () => {
    expect(failedOwnFilter({ roof: { in: ['flat'] } }, own)).toEqual({
      code: 'field_not_wanted',
      got: { field: 'roof', label: 'Roof', value: 'tile' },
      want: ['flat'],
    });
    expect(failedOwnFilter({ other: { min: 1, notIn: [3] } }, own)).toEqual({
      code: 'field_missing',
      got: { field: 'other', value: null },
      want: { min: 1 },
    });
  });

  it('never tells the value of a personal field, and marks one that buyers do not get', () => {
    expect(failedOwnFilter({ born: { min: '1990-01-01' } }, own)?.got).toEqual({ field: 'born' });
    expect(failedOwnFilter({ note: { in: ['outside'] } }, own)?.got).toEqual({
      field: 'note',
      value: 'inside',
      hidden: true,
    });
  });

  it('admits a zip code exactly if an entry is the code, its five digits, or a beginning of it', () => {
    const digits = (length: number) => fc.stringMatching(new RegExp(`^[0-3]{${length}}$`));
    const codes = fc.oneof(
      digits(5),
      fc.tuple(digits(5), digits(4)).map(([five, four]) => `${five}-${four}`),
    );
    const entries = fc.array(
      fc.oneof(
        codes,
        digits(2).map((text) => `${text}*`),
        digits(5).map((text) => `${text}*`),
      ),
    );
    fc.assert(
      fc.property(codes, entries, (code, list) => {
        const value: OwnValue = { type: 'zip', value: code };
        const expected = list.some((entry) =>
          entry.endsWith('*') ? code.startsWith(entry.slice(0, -1)) : code === entry || code.startsWith(`${entry}-`),
        );
        expect(failedOwnFilter({ zip: { in: list } }, { zip: value }) === null).toBe(expected);
        expect(failedOwnFilter({ zip: { notIn: list } }, { zip: value }) === null).toBe(!expected);
      }),
    );
  });
});
