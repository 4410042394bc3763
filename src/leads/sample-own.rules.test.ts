import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { fieldTypes } from '../marketplace/vertical.schema.ts';
import type { OwnField } from '../marketplace/verticals.ts';
import { readOwnFields } from './own-fields.rules.ts';
import { sampleOwn } from './sample-own.rules.ts';

const NOW = new Date('2026-11-20T18:00:00.000Z');

const plain: OwnField = {
  ...{ name: 'a', label: 'a', type: 'text', values: ['asphalt', 'tile'], required: true, min: null, max: null },
  ...{ minLength: null, maxLength: null, personal: false, delivered: true, filterable: true },
};

function isValid(field: OwnField): boolean {
  const { own, errors } = readOwnFields(
    { fields: [field] },
    {
      a: sampleOwn(field, NOW),
    },
  );
  return errors.length === 0 && own['a'] !== undefined;
}

describe('The sample of an own field', () => {
  it.each(fieldTypes)('is valid for the type %s', (type) => {
    expect(isValid({ ...plain, type })).toBe(true);
  });

  it('is within the bounds of a number', () => {
    const bound = fc.option(fc.integer({ min: -1000, max: 1000 }));
    fc.assert(
      fc.property(bound, bound, (one, other) => {
        const [min, max] = one !== null && other !== null && one > other ? [other, one] : [one, other];
        expect(isValid({ ...plain, type: 'integer', min, max })).toBe(true);
      }),
    );
  });

  it('has the length that a text must have', () => {
    for (const [minLength, maxLength] of [
      [1, 3],
      [40, 40],
      [null, 2],
      [9, null],
    ] as const)
      expect(isValid({ ...plain, minLength, maxLength })).toBe(true);
  });

  it.each([
    ['date', '2027-01-01', null],
    ['date', null, '2020-01-01'],
    ['datetime', '2027-01-01T00:00:00.000Z', null],
    ['datetime', null, '2020-01-01T00:00:00.000Z'],
  ] as const)('the sample of a %s is between %s and %s', (type, min, max) => {
    expect(isValid({ ...plain, type, min, max })).toBe(true);
  });
});
