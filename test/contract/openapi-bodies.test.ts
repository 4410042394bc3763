// Tests that bodies generated from the OpenAPI document alone are accepted: the document describes nearly all checks of the service
// (contract 8.4).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type ApiResponse, call, postLead } from '../support/api-client.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { bodiesMadeFrom } from '../support/openapi/made-bodies.ts';
import type { Json } from '../support/scope-app.ts';
import { marketYaml } from './market.ts';

const MADE = 120;
const AT_ONCE = 20;

let market: TestMarketplace;
let document: Json;

beforeAll(async () => {
  // The target of the examples, which no DNS knows.
  market = await startTestMarketplace({
    yaml: marketYaml(),
    role: 'api',
    allowTargets: ['https://crm.summit.example'],
  });
  document = (await call(`${market.url}/openapi.json`)).json;
});
afterAll(() => market.close());

/** The rejected bodies, with their errors. */
async function refused(bodies: readonly Json[], send: (body: Json) => Promise<ApiResponse>): Promise<unknown[]> {
  const found: unknown[] = [];
  for (let from = 0; from < bodies.length; from += AT_ONCE) {
    const some = bodies.slice(from, from + AT_ONCE);
    const responses = await Promise.all(some.map(send));
    found.push(...responses.flatMap(({ status, json }, index) => (status < 300 ? [] : [{ body: some[index], json }])));
  }
  return found;
}

const mostAreTaken = (found: readonly unknown[]): void => {
  if (found.length > MADE / 20) expect(found).toEqual([]);
};

describe('Bodies generated from the schema', () => {
  it('are accepted as submissions in nearly all cases', async () => {
    const key = await market.supplierKey('acme-media');
    // Test leads have a separate rate limit.
    const bodies = bodiesMadeFrom(document, 'LeadSubmission', MADE).map((body) => ({ ...body, test: false }));
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBeGreaterThan(MADE / 2);
    mostAreTaken(await refused(bodies, (body) => postLead(market.url, key, body)));
  });

  it('are accepted as account changes in nearly all cases', async () => {
    const headers = { authorization: `Bearer ${await market.buyerToken('summit')}` };
    const bodies = bodiesMadeFrom(document, 'AccountPatch', MADE);
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBeGreaterThan(MADE / 2);
    mostAreTaken(
      await refused(bodies, (body) => call(`${market.url}/api/v1/buyer/account`, { method: 'PATCH', headers, body })),
    );
  });
});
