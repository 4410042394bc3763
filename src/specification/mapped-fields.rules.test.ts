import { describe, expect, it } from 'vitest';

import { transforms } from '../suppliers/field-transforms.rules.ts';
import { mappedFields } from './mapped-fields.rules.ts';

describe('mappedFields', () => {
  it('lists a mapping as rows in its order, with the treatment of each value', () => {
    const { fields, constants } = mappedFields({
      Mobile: { to: 'phone', transform: 'us_phone' },
      Tel: 'phone',
      src: 'source',
      $set: { source: 'form', tcpa_consent: true },
    });
    expect(fields.map(({ name, field, isAlternative }) => [name, field, isAlternative])).toEqual([
      ['Mobile', 'phone', false],
      ['Tel', 'phone', true],
    ]);
    expect(fields.map(({ treatment }) => treatment !== null)).toEqual([true, false]);
    expect(constants).toEqual([
      { field: 'source', value: 'form' },
      { field: 'tcpa_consent', value: true },
    ]);
  });

  it.each(Object.keys(transforms) as Array<keyof typeof transforms>)(
    'explains the transform %s in a sentence',
    (transform) => {
      const [row] = mappedFields({ x: { to: 'phone', transform } }).fields;
      expect(row?.treatment).toMatch(/^[A-Z].+\.$/);
    },
  );
});
