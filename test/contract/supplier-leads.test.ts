// Tests GET /api/v1/supplier/leads/:leadIdOrExternalId of the running service: the outcome of one lead (contract 3.10).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type ApiResponse, getAsSupplier, postLead, problem, problemFacts } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import type { Json } from '../support/scope-app.ts';
import { marketYaml, sampleLead } from './market.ts';

let market: TestMarketplace;
let key: string;
let serial = 0;

beforeAll(async () => {
  market = await startTestMarketplace({ yaml: marketYaml() });
  key = await market.supplierKey('acme-media');
});
afterAll(() => market.close());

const read = (id: string): Promise<ApiResponse> =>
  getAsSupplier(market.url, key, `/api/v1/supplier/leads/${encodeURIComponent(id)}`);
const decided = (id: string): Promise<Json> =>
  eventually('the lead is decided', async () => {
    const { json } = await read(id);
    return json.status === 'Pending' ? null : json;
  });

/** Posts a lead and returns its id, null if it is rejected. */
async function posted(more: object): Promise<string | null> {
  serial += 1;
  const { json } = await postLead(market.url, key, sampleLead(serial, { ...more }));
  return json.lead_id ?? null;
}

describe('A lead', () => {
  it('is returned with exactly the members of the contract', async () => {
    const leadId = (await posted({ external_id: 'B-1' })) ?? '';
    const { status, headers } = await read('B-1');
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    const lead = await decided('B-1');
    expect(lead).toEqual({
      leadId,
      externalId: 'B-1',
      receivedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      score: expect.any(Number),
      status: 'Lead Sale',
      reason: null,
      test: false,
    });
    expect(Object.keys(lead)).toEqual(['leadId', 'externalId', 'receivedAt', 'score', 'status', 'reason', 'test']);
    expect((await read(leadId)).json).toEqual(lead);
  });

  it('that is not sold has the reason', async () => {
    await posted({ external_id: 'B-2', state: 'TX' });
    expect(await decided('B-2')).toMatchObject({ status: 'No Buyer', reason: 'no_buyer' });
  });

  it('that was rejected is found by its external_id, with its errors', async () => {
    await posted({ external_id: 'B-3', email: null, phone: null, state: 'zz9' });
    expect((await read('B-3')).json).toMatchObject({
      leadId: expect.stringMatching(/^lead_/),
      externalId: 'B-3',
      score: null,
      status: 'Invalid',
      reason: 'email or phone required; state invalid',
    });
  });

  it('without an external_id is found by its own id', async () => {
    const leadId = (await posted({ external_id: null })) ?? '';
    expect((await read(leadId)).json).toMatchObject({ leadId, externalId: null });
  });

  it('is readable for a supplier that may not submit', async () => {
    const suspended = await market.supplierKey('halted');
    const { status } = await getAsSupplier(market.url, suspended, '/api/v1/supplier/leads/B-1');
    expect(status).toBe(404);
  });
});

describe('An external_id', () => {
  it.each(['2026/11/A 7', 'ä?#%2F&=;', '..%', 'https://crm.example/leads/7?x=1', '李-7', 'a\u0001b'])(
    'of any characters, %j, is found in percent-encoding',
    async (externalId) => {
      const leadId = await posted({ external_id: externalId });
      expect((await read(externalId)).json).toMatchObject({ leadId, externalId });
    },
  );

  it('is found without surrounding blanks, as ingest reads it', async () => {
    const leadId = await posted({ external_id: '  C-1 ' });
    for (const id of ['C-1', ' C-1  ']) expect((await read(id)).json).toMatchObject({ leadId, externalId: 'C-1' });
  });

  it('that looks like the id of a lead is found, unless another lead of the supplier has that id', async () => {
    const strange = 'lead_01m7xnp2vpe9rtj82p033hep4t';
    const named = await posted({ external_id: strange });
    expect((await read(strange)).json).toMatchObject({ leadId: named, externalId: strange });
    const other = (await posted({ external_id: 'C-2' })) ?? '';
    await posted({ external_id: other });
    expect((await read(other)).json).toMatchObject({ leadId: other, externalId: 'C-2' });
  });

  it('of an accepted lead finds that lead, beside earlier and later rejections', async () => {
    const id = 'C-3';
    await posted({ external_id: id, email: 'nobody', phone: null });
    expect((await read(id)).json.status).toBe('Invalid');
    const tested = await posted({ external_id: id, test: true });
    expect((await read(id)).json).toMatchObject({ leadId: tested, test: true });
    const accepted = await posted({ external_id: id });
    await posted({ external_id: id, email: 'nobody', phone: null });
    expect((await read(id)).json).toMatchObject({ leadId: accepted, test: false });
  });

  it.each(['nothing', 'lead_', 'lead_x', 'LS-100042', 'dlv_01m7wyk0h2emp81qch4dvtyn6a', '\0', ' ', 'x'.repeat(9000)])(
    'that no lead has, %j, is not found',
    async (id) => {
      expect(problemFacts(await read(id))).toEqual(problem(404, 'not_found'));
    },
  );
});
