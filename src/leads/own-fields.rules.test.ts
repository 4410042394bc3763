import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { countries } from '../base/regions.ts';
import { verticalOfForm, type WrittenVertical } from '../marketplace/vertical-form.rules.ts';
import { fieldTypes, VerticalSchema } from '../marketplace/vertical.schema.ts';
import { withDefaults } from '../marketplace/configured-form.rules.ts';
import type { Vertical } from '../marketplace/verticals.ts';
import { contentHash } from './content-hash.rules.ts';
import type { LeadFields, ValidLead } from './lead-fields.ts';
import { deliveredOwn, readOwnFields } from './own-fields.rules.ts';
import { readComparable } from './own-values.rules.ts';
import { scoreLead } from './score-lead.rules.ts';
import { type SupplierVerticals, verticalsOf } from './supplier-verticals.rules.ts';
import { validateLead } from './validate-lead.rules.ts';

const NOW = new Date('2026-11-25T12:00:00.000Z');
const LONG = 'x'.repeat(501);
const PERSON = { full_name: 'Jordan Rivera', email: 'jordan@example.com' };

function vertical(key: string, ...fields: ReadonlyArray<Record<string, unknown>>): Vertical {
  return verticalOfForm(withDefaults(VerticalSchema, { key, fields }) as WrittenVertical);
}

/** What a field of the type makes of a value: its stored value, or the errors. */
function read(field: Record<string, unknown>, value: unknown): unknown {
  const { own, errors } = readOwnFields(vertical('any', { name: 'it', ...field }), { it: value });
  return errors.length > 0 ? errors.join('; ') : own['it']?.value;
}

const INVALID = 'it invalid';
const TOO_LONG = 'it too long';

describe('An own field', () => {
  it.each<[Record<string, unknown>, unknown, unknown]>([
    [{ type: 'text' }, '  two words ', 'two words'],
    [{ type: 'text' }, 'ł😀', 'ł😀'],
    [{ type: 'text' }, 5, INVALID],
    [{ type: 'text' }, ['a'], INVALID],
    [{ type: 'text' }, 'a\0b', INVALID],
    [{ type: 'text' }, '\ud800', INVALID],
    [{ type: 'text' }, LONG, TOO_LONG],
    [{ type: 'text', maxLength: 3 }, 'abcd', TOO_LONG],
    [{ type: 'text', maxLength: 3 }, '😀😀😀', '😀😀😀'],
    [{ type: 'text', minLength: 2 }, '😀', INVALID],
    [{ type: 'text', minLength: 2 }, 'ab', 'ab'],
    [{ type: 'text' }, ' \u200b ', undefined],
    [{ type: 'integer' }, 7, 7],
    [{ type: 'integer' }, -0, 0],
    [{ type: 'integer' }, '007', 7],
    [{ type: 'integer' }, '-12', -12],
    [{ type: 'integer' }, 1.5, INVALID],
    [{ type: 'integer' }, '1.0', INVALID],
    [{ type: 'integer' }, '1e3', INVALID],
    [{ type: 'integer' }, '٣', INVALID],
    [{ type: 'integer' }, Infinity, INVALID],
    [{ type: 'integer' }, 1e15, INVALID],
    [{ type: 'integer' }, 123_456_789_012_345, 123_456_789_012_345],
    [{ type: 'integer' }, true, INVALID],
    [{ type: 'integer', min: 1, max: 3 }, 3, 3],
    [{ type: 'integer', min: 1, max: 3 }, 4, INVALID],
    [{ type: 'integer', min: 1, max: 3 }, 0, INVALID],
    [{ type: 'number' }, '2.50', 2.5],
    [{ type: 'number' }, 2.5, 2.5],
    [{ type: 'number' }, '2,5', INVALID],
    [{ type: 'number' }, 'NaN', INVALID],
    [{ type: 'number' }, -Infinity, INVALID],
    [{ type: 'number' }, 1e308, INVALID],
    [{ type: 'number' }, '0x10', INVALID],
    [{ type: 'money' }, '120.50', 120.5],
    [{ type: 'money' }, 120.5, 120.5],
    [{ type: 'money' }, 0.1, 0.1],
    [{ type: 'money' }, '1.234', INVALID],
    [{ type: 'money' }, -1, INVALID],
    [{ type: 'money' }, '$5', INVALID],
    [{ type: 'money' }, Infinity, INVALID],
    [{ type: 'money', max: 100 }, '100.01', INVALID],
    [{ type: 'boolean' }, false, false],
    [{ type: 'boolean' }, 'true', INVALID],
    [{ type: 'boolean' }, 1, INVALID],
    [{ type: 'date' }, '2024-02-29', '2024-02-29'],
    [{ type: 'date' }, '2023-02-29', INVALID],
    [{ type: 'date' }, '02/28/2023', INVALID],
    [{ type: 'date' }, '1899-12-31', INVALID],
    [{ type: 'date' }, 20_240_229, INVALID],
    [{ type: 'date', min: '2000-01-01' }, '1999-12-31', INVALID],
    [{ type: 'datetime' }, '2026-11-25T10:00:00+02:00', '2026-11-25T08:00:00.000Z'],
    [{ type: 'datetime' }, '2026-11-25', INVALID],
    [{ type: 'datetime' }, '2026-11-25T10:00:00', INVALID],
    [{ type: 'datetime', max: '2026-11-25T10:00:00+02:00' }, '2026-11-25T08:00:00Z', '2026-11-25T08:00:00.000Z'],
    [{ type: 'datetime', max: '2026-11-25T10:00:00+02:00' }, '2026-11-25T08:00:00.001Z', INVALID],
    [{ type: 'enum', values: ['Flat', 'tile'] }, 'FLAT ', 'Flat'],
    [{ type: 'enum', values: ['Flat', 'tile'] }, 'slate', INVALID],
    [{ type: 'enum', values: ['a'] }, 'constructor', INVALID],
    [{ type: 'enum', values: ['a'] }, { a: 1 }, INVALID],
    [{ type: 'url' }, 'https://a.example/x?y', 'https://a.example/x?y'],
    [{ type: 'url' }, 'javascript:alert(1)', INVALID],
    [{ type: 'url' }, `https://a.example/${'x'.repeat(2048)}`, TOO_LONG],
    [{ type: 'zip' }, '94103', '94103'],
    [{ type: 'zip' }, '02134', '02134'],
    [{ type: 'zip' }, '941031234', '94103-1234'],
    [{ type: 'zip' }, 'k1a0b1', 'K1A 0B1'],
    [{ type: 'zip' }, 94_103, INVALID],
    [{ type: 'zip' }, '941', INVALID],
    [{ type: 'zip' }, '٩٤١٠٣', INVALID],
    [{ type: 'email' }, 'a@b.example', 'a@b.example'],
    [{ type: 'email' }, 'a@b', INVALID],
    [{ type: 'phone' }, '+1 (555) 555-0123', '+15555550123'],
    [{ type: 'phone' }, '5555550123', INVALID],
  ])('of %j reads %j as %j', (field, value, expected) => expect(read(field, value)).toEqual(expected));

  it('is absent if it is null, blank or missing, and required ones are then an error', () => {
    const fields = fieldTypes.map((type) => ({
      name: `a_${type}`,
      type,
      required: true,
      ...(type === 'enum' ? { values: ['x'] } : {}),
    }));
    const required = vertical('all', ...fields);
    const expected = fields.map(({ name }) => `${name} required`);
    for (const absent of [null, '', ' \u00a0', undefined]) {
      const body = Object.fromEntries(fields.map(({ name }) => [name, absent]));
      expect(readOwnFields(required, body)).toEqual({ own: {}, errors: expected });
    }
    expect(readOwnFields(required, {}).errors).toEqual(expected);
  });

  it('ignores members that the body only inherits', () => {
    const found = readOwnFields(vertical('any', { name: 'it' }), Object.create({ it: 'inherited' }) as object as {});
    expect(found).toEqual({ own: {}, errors: [] });
  });

  it('reads any JSON without an exception, stores what its type can hold, and reads that again as the same', () => {
    const all = vertical(
      'all',
      ...fieldTypes.map((type) => ({ name: `a_${type}`, type, ...(type === 'enum' ? { values: ['x', 'Y'] } : {}) })),
    );
    const likely = fc.constantFrom<unknown>(
      'x',
      'y',
      '5',
      5,
      '1.5',
      true,
      '2024-02-29',
      '94103',
      '+15555550123',
      'a@b.example',
      'https://a.example',
      '2026-11-25T10:00:00Z',
      Infinity,
      -0,
    );
    const value = fc.oneof(fc.jsonValue(), likely, fc.string({ unit: 'binary' }), fc.double());
    fc.assert(
      fc.property(fc.array(value, { minLength: fieldTypes.length, maxLength: fieldTypes.length }), (values) => {
        const body = Object.fromEntries(fieldTypes.map((type, index) => [`a_${type}`, values[index]]));
        const { own } = readOwnFields(all, body);
        const again = readOwnFields(
          all,
          Object.fromEntries(Object.entries(own).map(([name, one]) => [name, one.value])),
        );
        expect(again).toEqual({ own, errors: [] });
        expect(JSON.parse(JSON.stringify(own))).toEqual(own);
        for (const [name, { type, value: stored }] of Object.entries(own)) {
          const field = all.fields.find((one) => one.name === name);
          // What a lead can have, a filter can want.
          if (field !== undefined && typeof stored !== 'boolean') expect(readComparable(field, stored)).toBe(stored);
          expect(`a_${type}`).toBe(name);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

const solar = vertical(
  'solar',
  { name: 'roof', type: 'enum', values: ['tile', 'flat'], required: true, label: 'Roof' },
  { name: 'bill', type: 'money' },
  { name: 'born', type: 'date', personal: true },
  { name: 'note', delivered: false },
);
const bare = vertical('debt');
const all = new Map([solar, bare, { ...vertical('old'), status: 'closed' as const }].map((one) => [one.key, one]));
const posts = (byDefault: string | null, ...others: string[]): SupplierVerticals | null =>
  verticalsOf({ vertical: byDefault, verticals: others }, all);

function validated(body: Record<string, unknown>, verticals: SupplierVerticals | null): ValidLead | string {
  const verdict = validateLead({ ...PERSON, ...body }, { regions: countries, verticals }, NOW);
  return verdict.ok ? verdict.lead : verdict.reason;
}

function lead(body: Record<string, unknown>, verticals: SupplierVerticals | null): ValidLead {
  const found = validated(body, verticals);
  if (typeof found === 'string') throw new Error(found);
  return found;
}

describe('A submission into a vertical', () => {
  it('keeps each own value with what its field was, in the order of the fields, and the rest as extra members', () => {
    const {
      vertical: key,
      own,
      extra,
    } = lead({ note: 'n', bill: '5.50', roof: 'TILE', pet: 'cat', born: '1970-01-01' }, posts('solar'));
    expect(key).toBe('solar');
    expect(Object.entries(own ?? {})).toEqual([
      ['roof', { type: 'enum', value: 'tile', label: 'Roof' }],
      ['bill', { type: 'money', value: 5.5 }],
      ['born', { type: 'date', value: '1970-01-01', personal: true }],
      ['note', { type: 'text', value: 'n', hidden: true }],
    ]);
    expect({ ...extra }).toEqual({ pet: 'cat' });
    expect(deliveredOwn({ ...(own === undefined ? {} : { own }) })).toEqual({
      roof: 'tile',
      bill: 5.5,
      born: '1970-01-01',
    });
    expect(deliveredOwn({})).toBeNull();
  });

  it('reports the errors of own fields after those of the standard ones, in the order of the fields', () => {
    expect(validated({ bill: 'x', born: 5, note: LONG, state: 'ZZ', email: 'no' }, posts('solar'))).toBe(
      'email invalid; state invalid; roof required; bill invalid; born invalid; note too long',
    );
  });

  it.each<[string, unknown, SupplierVerticals | null, string]>([
    ['is not the supplier’s', 'solar', posts('debt'), 'vertical invalid'],
    ['does not exist', 'moon', posts('solar'), 'vertical invalid'],
    ['is closed', 'old', posts('solar', 'old'), 'vertical invalid'],
    ['is no text', 5, posts('solar'), 'vertical invalid'],
    ['is too long', LONG, posts('solar'), 'vertical invalid'],
    ['is that of an object', { key: 'solar' }, posts('solar'), 'vertical invalid'],
    ['is the name of a member of objects', 'constructor', posts('solar'), 'vertical invalid'],
    ['is closed, though the supplier’s default', null, posts('old'), 'vertical invalid'],
    ['is named by a supplier that has none', 'solar', posts(null), 'vertical invalid'],
  ])('is rejected if the vertical %s', (_, named, verticals, reason) =>
    expect(validated({ vertical: named, roof: 'moss' }, verticals)).toBe(reason),
  );

  it('may name another vertical of the supplier, whose fields then count', () => {
    expect(lead({ vertical: ' solar ', roof: 'flat' }, posts('debt', 'solar'))).toMatchObject({ vertical: 'solar' });
    expect(lead({ vertical: 'debt', roof: 5 }, posts('solar', 'debt'))).toMatchObject({
      vertical: 'debt',
      extra: { roof: 5 },
    });
  });

  it('leaves a lead of no vertical as it is without verticals', () => {
    const body = { roof: 'tile', bill: 5 };
    expect(lead(body, posts(null, 'solar'))).toEqual(lead(body, null));
    expect(lead({ ...body, vertical: 'anything' }, null).extra).toMatchObject({ vertical: 'anything' });
    const { vertical: key, ...rest } = lead(body, posts('debt'));
    expect([key, rest]).toEqual(['debt', lead(body, null)]);
  });
});

describe('The content of a submission', () => {
  const hash = (body: Record<string, unknown>, verticals: SupplierVerticals | null) =>
    contentHash(lead(body, verticals));

  it('stays the same when its supplier gets a vertical, and the vertical fields that the body had', () => {
    const body = { roof: 'tile', bill: 5.5, pet: 'cat' };
    expect(hash(body, posts('solar'))).toBe(hash(body, null));
    expect(hash({ ...body, vertical: 'solar' }, posts('debt', 'solar'))).toBe(
      hash({ ...body, vertical: 'solar' }, null),
    );
  });

  it('is another with another own value or another named vertical, and the same in another spelling', () => {
    const body = { roof: 'tile', bill: '5.50' };
    expect(hash({ ...body, bill: '5.51' }, posts('solar'))).not.toBe(hash(body, posts('solar')));
    expect(hash({ bill: 5.5, roof: ' TILE' }, posts('solar'))).toBe(hash(body, posts('solar')));
    const verticals = posts(null, 'solar', 'debt');
    expect(hash({ ...body, vertical: 'solar' }, verticals)).not.toBe(hash({ ...body, vertical: 'debt' }, verticals));
  });
});

describe('The score', () => {
  const weights = { contact: 0, completeness: 50, consent: 0, supplier: 0, plausibility: 50 };
  const scored = (fields: LeadFields, ownNames: readonly string[] = []) =>
    scoreLead(fields, { weights, supplierReturnRate: 0, now: NOW, ownNames });
  const names = solar.fields.map(({ name }) => name);

  it('is that of a lead of no vertical where the vertical has no fields', () => {
    expect(scored(lead({}, posts('debt')))).toEqual(scored(lead({}, null)));
  });

  it('counts own fields as half of completeness, and does not miss a debt amount or a business name', () => {
    const whole = { phone: '+15555550123', state: 'CA', lead_ip: '203.0.113.20', utm_source: 'a', roof: 'tile' };
    const one = scored(lead(whole, posts('solar')), names);
    expect(one.factors.completeness).toEqual({ points: 31.25, max: 50, notes: ['missing_own:bill, born, note'] });
    expect(one.factors.plausibility).toEqual({ points: 50, max: 50, notes: [] });
    const all4 = scored(lead({ ...whole, bill: 1, born: '1970-01-01', note: 'n' }, posts('solar')), names);
    expect(all4.score).toBe(100);
    const withAmount = scored(lead({ ...whole, debt_amount: '5' }, posts('solar')), names);
    expect(withAmount.factors.plausibility.notes).toEqual(['amount_unusual']);
  });
});
