import { describe, expect, it } from 'vitest';

import { countries } from '../base/regions.ts';
import type { OwnField, Vertical } from '../marketplace/verticals.ts';
import type { FieldMapping } from '../suppliers/field-mapping.rules.ts';
import type { SupplierConfig } from '../suppliers/supplier.ts';
import { makeSpecification } from './make-specification.ts';
import { specificationMarkdown } from './specification-markdown.rules.ts';
import { supplierOpenapi } from './supplier-openapi.rules.ts';

const NOW = new Date('2026-11-20T18:00:00.000Z');

const plain: OwnField = {
  ...{ name: 'a', label: 'a', type: 'text', values: [], required: false, min: null, max: null },
  ...{ minLength: null, maxLength: null, personal: false, delivered: true, filterable: true },
};
const solar: Vertical = {
  ...{ key: 'solar', name: 'Solar', status: 'active' },
  fields: [
    { ...plain, name: 'roof_age', label: 'Age of the roof', type: 'integer', required: true, min: 0, max: 8 },
    { ...plain, name: 'bill', label: 'Monthly bill', type: 'money' },
    { ...plain, name: 'owner', label: 'Owner', type: 'boolean' },
  ],
};
const roofing: Vertical = {
  ...{ key: 'roofing', name: 'Roofing', status: 'active' },
  fields: [
    { ...plain, name: 'material', label: 'Material', type: 'enum', values: ['asphalt', 'tile'], required: true },
  ],
};

function specOf(fieldMapping: FieldMapping, verticals: readonly Vertical[], byDefault: string | null) {
  const supplier = {
    ...{ supplierKey: 'bright', name: 'Brightform', status: 'approved', fieldMapping, callback: null, timeZone: 'UTC' },
    ...{ vertical: byDefault, verticals: [], rateLimit: { perSecond: 1, burst: 1 }, pay: { model: 'none' } },
  } as unknown as SupplierConfig;
  const open = new Map(verticals.map((vertical) => [vertical.key, vertical]));
  const input = { supplier, origin: 'https://leads.example', marketplace: 'Leads', regions: countries };
  return makeSpecification({ ...input, verticals: { byDefault, open } }, NOW);
}

const mapping = { 'roof.age': 'roof_age', Bill: { to: 'bill', transform: 'money' }, kind: 'vertical' } as const;

describe('The posting specification of a supplier with verticals', () => {
  it('has the own fields of each vertical, the default one first, and an example that passes the checks', () => {
    const { verticals, example } = specOf({}, [roofing, solar], 'solar');
    expect(verticals.map(({ key, isDefault, required }) => [key, isDefault, required])).toEqual([
      ['solar', true, ['roof_age']],
      ['roofing', false, ['material']],
    ]);
    expect(verticals[0]?.fields[0]).toEqual({
      ...{ field: 'roof_age', meaning: 'Age of the roof. Every lead needs it.', type: 'whole number', lengthMax: 500 },
      format: 'Send a whole number, or text with its digits. At least 0. At most 8.',
      ...{ names: [{ name: 'roof_age', treatment: null }], sample: '8', constant: null },
      faults: ['roof_age required', 'roof_age invalid', 'roof_age too long'],
    });
    expect(JSON.parse(example?.body ?? '')).toMatchObject({ roof_age: 8, bill: 10, owner: true, test: true });
    expect(JSON.parse(example?.body ?? '')).not.toHaveProperty('vertical');
    expect(JSON.parse(verticals[1]?.example?.body ?? '')).toMatchObject({ vertical: 'roofing', material: 'asphalt' });
  });

  it('has the supplier’s own names, also for the vertical', () => {
    const { verticals } = specOf(mapping, [solar], null);
    const [of] = verticals;
    expect(of?.isDefault).toBe(false);
    expect(JSON.parse(of?.example?.body ?? '')).toMatchObject({ roof: { age: 8 }, Bill: '$24,500.00', kind: 'solar' });
    expect(of?.fields.map(({ names }) => names[0]?.name)).toEqual(['roof.age', 'Bill', 'owner']);
  });

  it('says all of it in Markdown', () => {
    const text = specificationMarkdown(specOf({}, [roofing, solar], 'solar'));
    expect(text).toContain('## Leads of the vertical Solar');
    expect(text).toContain('| `roof_age` | `roof_age` | whole number |');
    expect(text).toContain('Send one of these, in any case: asphalt, tile.');
    expect(text).toContain('A lead of this vertical names it: `vertical` is `"roofing"`.');
    expect(text).toContain('"material": "asphalt"');
    expect(specificationMarkdown(specOf({}, [], null))).not.toContain('vertical');
  });
});

describe('The OpenAPI document of a supplier', () => {
  const operation = (tag: string, schema: string) => ({
    get: { tags: [tag], responses: { 200: { content: { 'application/json': { schema: { $ref: schema } } } } } },
  });
  const document = {
    openapi: '3.1.0',
    info: { title: 'All', version: '1.0.0' },
    tags: [{ name: 'Supplier' }, { name: 'Buyer' }],
    paths: {
      '/ingest': operation('Supplier', '#/components/schemas/LeadSubmission'),
      '/stats': operation('Supplier', '#/components/schemas/Stats'),
      '/leads': operation('Buyer', '#/components/schemas/Delivery'),
    },
    webhooks: { 'lead.routed': {}, 'lead.delivered': {} },
    components: {
      securitySchemes: {},
      schemas: { LeadSubmission: {}, Stats: { $ref: '#/components/schemas/Day' }, Day: {}, Delivery: {} },
    },
  };
  const narrowed = (spec: ReturnType<typeof specOf>) =>
    supplierOpenapi(document, spec, new Set(['lead.routed'])) as {
      paths: object;
      webhooks: object;
      tags: object[];
      components: { schemas: Record<string, { properties?: Record<string, object>; required?: string[] }> };
    };

  it('has its operations, callbacks and their schemas only', () => {
    const { paths, webhooks, tags, components } = narrowed(specOf({}, [solar], 'solar'));
    expect(Object.keys(paths)).toEqual(['/ingest', '/stats']);
    expect(Object.keys(webhooks)).toEqual(['lead.routed']);
    expect(tags).toEqual([{ name: 'Supplier' }]);
    expect(Object.keys(components.schemas)).toEqual(['LeadSubmission', 'Stats', 'Day']);
  });

  it('describes a lead with own fields, and requires those of an only vertical', () => {
    const { LeadSubmission } = narrowed(specOf({}, [solar], 'solar')).components.schemas;
    expect(LeadSubmission?.properties?.['roof_age']).toMatchObject({ type: ['string', 'number'], examples: [8] });
    expect(LeadSubmission?.properties?.['owner']).toMatchObject({ type: 'boolean' });
    expect(LeadSubmission?.properties?.['vertical']).toMatchObject({ enum: ['solar'] });
    expect(LeadSubmission?.properties?.['phone']).toMatchObject({ type: 'string', maxLength: 500 });
    expect(LeadSubmission?.required).toEqual(['roof_age']);
    expect(
      narrowed(specOf({}, [solar, roofing], 'solar')).components.schemas['LeadSubmission']?.required,
    ).toBeUndefined();
  });

  it('has the supplier’s own names', () => {
    const { LeadSubmission } = narrowed(specOf(mapping, [solar], 'solar')).components.schemas;
    expect(Object.keys(LeadSubmission?.properties ?? {})).toEqual(expect.arrayContaining(['roof', 'Bill', 'owner']));
    expect(LeadSubmission?.properties).not.toHaveProperty('roof_age');
    expect(LeadSubmission?.required).toBeUndefined();
  });
});
