// Verticals in the marketplace file: applied, exported, compared, closed, and checked against what suppliers and offers say about them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { commandLineActor } from '../../src/audit/audit-event.ts';
import { applyFile } from '../../src/marketplace-file/apply-file.ts';
import { exportFile } from '../../src/marketplace-file/export-file.ts';
import { ownNamesOf } from '../../src/leads/supplier-verticals.rules.ts';
import { parseFile } from '../../src/marketplace-file/parse-file.ts';
import { readHistory } from '../../src/marketplace/config-history.ts';
import { readVerticals } from '../../src/marketplace/stored-verticals.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const NOW = new Date('2026-11-25T12:00:00.000Z');

const SOLAR = `
verticals:
  - key: solar
    name: Solar panels
    fields:
      - { name: roof_type, label: Roof, type: enum, values: [tile, metal, flat], required: true }
      - { name: monthly_bill, type: money, min: 0, max: 5000 }
      - { name: zip, type: zip }
      - { name: built_at, type: datetime, min: '2000-01-01T00:00:00+02:00' }
      - { name: birth_date, type: date, personal: true, filterable: false }
      - { name: notes, delivered: false, maxLength: 200 }
`;
const SUPPLIER = `
suppliers:
  - { key: sunny, status: approved, vertical: solar, fieldMapping: { Roof: { to: roof_type, transform: trim } } }
`;
const offer = (filters: string, more = '') => `
partners:
  - key: summit
    offers:
      - { key: west, vertical: solar, eventType: Lead Sale, payout: 45, ${more}filters: { fields: { ${filters} } } }
`;

let home: TestDatabase;
beforeAll(async () => {
  home = await createTestDatabase();
});
afterAll(() => home.drop());

async function apply(text: string, { prune = false } = {}) {
  return home.database.tx(async (tx) => {
    const parsed = parseFile(text, { allowTargets: [], ownNames: ownNamesOf(await readVerticals(tx)) });
    return parsed.ok ? applyFile(tx, parsed.file, { dryRun: false, prune, actor: commandLineActor }, NOW) : parsed;
  });
}

/** The errors as `line:column path: message`. */
async function errorsOf(text: string): Promise<string[]> {
  const applied = await apply(text);
  return applied.ok
    ? []
    : applied.errors.map(({ line, column, path, message }) => `${line}:${column} ${path}: ${message}`);
}

describe('Verticals of a marketplace file', () => {
  it('are created, kept with history, and exported as a file that changes nothing', async () => {
    const filters = 'roof_type: { in: [tile] }, monthly_bill: { min: 120 }, zip: { in: ["941*"] }';
    const applied = await apply(SOLAR + SUPPLIER + offer(filters));
    expect(applied).toMatchObject({
      ok: true,
      changes: [
        { kind: 'vertical', key: 'solar', action: 'create', fields: { name: { to: 'Solar panels' } } },
        { kind: 'supplier', key: 'sunny', fields: { vertical: { to: 'solar' } } },
        { kind: 'partner', key: 'summit' },
        { kind: 'offer', key: 'west', fields: { filters: { to: { fields: { zip: { in: ['941*'] } } } } } },
      ],
    });
    const { content, text } = await home.database.tx((tx) => exportFile(tx));
    expect(content.verticals).toEqual([
      {
        key: 'solar',
        name: 'Solar panels',
        fields: [
          { name: 'roof_type', label: 'Roof', type: 'enum', values: ['tile', 'metal', 'flat'], required: true },
          { name: 'monthly_bill', type: 'money', min: 0, max: 5000 },
          { name: 'zip', type: 'zip' },
          { name: 'built_at', type: 'datetime', min: '1999-12-31T22:00:00.000Z' },
          { name: 'birth_date', type: 'date', personal: true, filterable: false },
          { name: 'notes', maxLength: 200, delivered: false },
        ],
      },
    ]);
    expect(await apply(text)).toMatchObject({ ok: true, changes: [], unmanaged: [] });
    const history = await home.database.tx((tx) => readHistory(tx, 'vertical', 1_000_000));
    expect([...history.keys()]).toEqual(['solar']);
  });

  it('are compared field by field, with the order of the fields', async () => {
    const changed = SOLAR.replace('max: 5000', 'max: 6000').replace('Solar panels', 'Solar');
    expect(await apply(changed)).toMatchObject({
      changes: [
        {
          kind: 'vertical',
          action: 'update',
          fields: {
            name: { from: 'Solar panels', to: 'Solar' },
            'fields.monthly_bill.max': { from: 5000, to: 6000 },
          },
        },
      ],
    });
    const lines = SOLAR.split('\n');
    const swapped = [...lines.slice(0, -3), lines.at(-2), lines.at(-3), ''].join('\n');
    const reordered = await apply(swapped);
    expect(reordered).toMatchObject({ changes: [{ fields: { fieldOrder: { from: expect.any(Array) } } }] });
  });

  it('keep a field that a mapping or an open offer names', async () => {
    const without = SOLAR.split('\n')
      .filter((line) => !line.includes('roof_type') && !line.includes('zip'))
      .join('\n');
    const removed = await errorsOf(without);
    expect(removed).toEqual([
      '3:10 verticals[0].key: the supplier "sunny": "roof_type" is no field of the verticals that the supplier posts into',
      '3:10 verticals[0].key: the offer "west": the vertical "solar" has no field "roof_type"',
      '3:10 verticals[0].key: the offer "west": the vertical "solar" has no field "zip"',
    ]);
    const closed = without + SUPPLIER.replace(', fieldMapping: { Roof: { to: roof_type, transform: trim } }', '');
    expect(await errorsOf(closed + offer('monthly_bill: { max: 10 }', 'status: closed, '))).toEqual([]);
    expect(await errorsOf(SOLAR + SUPPLIER + offer('monthly_bill: { max: 10 }'))).toEqual([]);
  });

  it.each([
    ['an unknown field', 'roof: { in: [tile] }', 'filters.fields.roof: the vertical "solar" has no field "roof"'],
    [
      'a field that is not filterable',
      'birth_date: { min: "2000-01-01" }',
      'filters.fields.birth_date: the field "birth_date" of the vertical "solar" is not filterable',
    ],
    [
      'a member that does not fit the type',
      'roof_type: { min: 3 }',
      'filters.fields.roof_type.min: does not fit the field "roof_type", which is of type enum: use in, notIn',
    ],
    [
      'a value that the field cannot have',
      'roof_type: { in: [slate] }',
      'filters.fields.roof_type.in: "slate" is no value of the field "roof_type": it must be one of tile, metal, flat',
    ],
    [
      'a value in another spelling',
      'roof_type: { in: [Tile] }',
      'filters.fields.roof_type.in: must name "tile" instead of "Tile", as leads have it',
    ],
    [
      'a zip code without quotes',
      'zip: { in: [10001] }',
      'filters.fields.zip.in: "10001" is no value of the field "zip": it must be a code in quotes such as "10001", or its beginning such as "941*"',
    ],
    [
      'bounds in the wrong order',
      'monthly_bill: { min: 200, max: 100 }',
      'filters.fields.monthly_bill.max: must not be less than "min"',
    ],
  ])('reject an offer that filters on %s, by name with line and column', async (_, filters, message) => {
    const text = SOLAR + SUPPLIER + offer(filters);
    const [line = '', ...others] = await errorsOf(text);
    expect(others).toEqual([]);
    expect(line).toContain(`partners[0].offers[0].${message}`);
    const [row = 0, column = 0] = (line.split(' ')[0] ?? '').split(':').map(Number);
    // Of the name for an unknown field, else of the value.
    expect(row).toBe(text.split('\n').findIndex((one) => one.includes('key: west')) + 1);
    expect(column).toBeGreaterThan((text.split('\n')[row - 1] ?? '').indexOf('fields: {') + 'fields: {'.length);
  });

  it.each([
    [
      'an unknown vertical of a supplier',
      'suppliers: [{ key: other, vertical: sun }]',
      'suppliers[0].vertical: there is no vertical "sun"; there are solar',
    ],
    [
      'a mapping to a field of another vertical',
      'verticals: [{ key: auto, fields: [{ name: vin }] }]\nsuppliers: [{ key: other, vertical: auto, fieldMapping: { r: zip } }]',
      'suppliers[0].fieldMapping.r: "zip" is no field of the verticals that the supplier posts into',
    ],
    [
      'a field of an offer without a vertical',
      'partners: [{ key: p, offers: [{ key: o, eventType: Lead Sale, payout: 1, filters: { fields: { zip: { in: ["10001"] } } } }] }]',
      'partners[0].offers[0].filters.fields.zip: "zip" is no field, because the offer names no vertical',
    ],
  ])('reject %s', async (_, text, message) => expect((await errorsOf(text)).join()).toContain(message));

  it('are closed by pruning, and stay', async () => {
    const pruned = await apply('suppliers: [{ key: third }]', { prune: true });
    expect(pruned).toMatchObject({ ok: true });
    const { content } = await home.database.tx((tx) => exportFile(tx));
    expect(content.verticals).toMatchObject([{ key: 'solar', status: 'closed' }]);
    expect(await apply('suppliers: [{ key: third }]', { prune: true })).toMatchObject({ changes: [] });
  });
});
