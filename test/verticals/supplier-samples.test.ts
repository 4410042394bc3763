// The OpenAPI document of each supplier of the example files: its samples fit its schema, and the service takes them (contract 14.5).
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterEach, describe, expect, it } from 'vitest';

import { getAsSupplier, postLead } from '../support/api-client.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { schemaChecker } from '../support/openapi/schema-checker.ts';
import { ignoreSubmittedBodies } from '../support/openapi/watch-responses.ts';

const FOLDER = join(import.meta.dirname, '../../examples/verticals');

let market: TestMarketplace | null = null;
afterEach(async () => {
  await market?.close();
  market = null;
});

describe('The OpenAPI document of a supplier', () => {
  // Own marketplace: the file is what is tested.
  it.each([
    ['debt', 1],
    ['solar', 1],
    ['home-services', 2],
    ['auto-insurance', 1],
  ])('of the example %s has samples that fit its schema and that the service takes: %i each', async (name, samples) => {
    ignoreSubmittedBodies();
    market = await startTestMarketplace({ yaml: await readFile(join(FOLDER, `${name}.yaml`), 'utf8'), role: 'api' });
    const { json } = await (await market.signedIn.operator()).get('/console/api/suppliers');
    for (const supplier of json.data as ReadonlyArray<{ key: string }>) {
      const key = await market.supplierKey(supplier.key);
      const { json: document } = await getAsSupplier(market.url, key, '/api/v1/supplier/openapi.json');
      const errorsOf = schemaChecker(document);
      const { examples } = document.components.schemas.LeadSubmission as { examples: object[] };
      expect(examples).toHaveLength(samples);
      for (const example of examples) {
        expect(errorsOf('/components/schemas/LeadSubmission', example)).toEqual([]);
        const { status, text } = await postLead(market.url, key, example);
        expect([status, text]).toEqual([202, expect.stringContaining('lead_id')]);
      }
      expect(errorsOf('/components/schemas/LeadSubmission', { state: 5 })).not.toEqual([]);
    }
  });

  // Own marketplace: its verticals have fields of one name.
  it('takes in each vertical what that vertical takes, where fields of one name have different types', async () => {
    ignoreSubmittedBodies();
    market = await startTestMarketplace({ yaml: ONE_NAME, role: 'api' });
    const key = await market.supplierKey('multi');
    const { json: document } = await getAsSupplier(market.url, key, '/api/v1/supplier/openapi.json');
    const errorsOf = schemaChecker(document);
    const { examples, properties } = document.components.schemas.LeadSubmission;
    expect(examples).toHaveLength(3);
    expect(properties.size).toMatchObject({ type: ['string', 'number', 'boolean'] });
    expect(properties.size).not.toHaveProperty('maxLength');
    expect(properties.size.description).toMatch(/^Of auto: size: .* At most 9\. Of legal: size: .*Of pets: size: /);
    expect(properties.note.description).not.toContain('Of auto');
    for (const example of examples) {
      expect(errorsOf('/components/schemas/LeadSubmission', example)).toEqual([]);
      expect((await postLead(market.url, key, example)).status).toBe(202);
    }
    expect(errorsOf('/components/schemas/LeadSubmission', { size: { of: 5 } })).not.toEqual([]);
  });
});

const ONE_NAME = `
verticals:
  - key: auto
    name: Auto
    fields:
      - { name: size, label: Doors, type: integer, min: 1, max: 9 }
      - { name: note, label: Note, type: text }
  - key: legal
    name: Legal
    fields:
      - { name: size, label: Over a million, type: boolean }
      - { name: note, label: Note, type: text }
  - key: pets
    name: Pets
    fields:
      - { name: size, label: Size, type: enum, values: [small, large] }
suppliers:
  - key: multi
    status: approved
    vertical: auto
    verticals: [auto, legal, pets]
`;
