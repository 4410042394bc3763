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

  it('says the format and zone of a time, and what may be left out', () => {
    const { fields } = mappedFields({
      at: { to: 'consent_timestamp', transform: 'time', format: 'MM/DD/YYYY', timeZone: 'America/Denver' },
      ip: { to: 'lead_ip', transform: 'public_ip', orNothing: true },
      v: { to: 'consent_version', orNothing: true },
    });
    expect(fields.map(({ treatment }) => treatment)).toEqual([
      'A time written as MM/DD/YYYY, in the zone America/Denver unless it names an offset.',
      'The first public address of a list is read, without its port: 10.0.0.1, 203.0.113.9:443. A value that cannot be read is left out.',
      'A value that cannot be read is left out.',
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
