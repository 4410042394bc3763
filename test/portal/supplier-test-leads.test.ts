// Test leads from the supplier's portal: the API's response, a simulated decision, and no side effects.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { newUuid } from '../../src/base/ids.ts';
import { getAsSupplier, postLead } from '../support/api-client.ts';
import { select } from '../support/ledger-faults.ts';
import { eventually } from '../support/eventually.ts';
import { leadBody } from '../support/leads.ts';
import type { Json } from '../support/scope-app.ts';
import type { SignedIn } from '../support/signed-in.ts';
import { startSupplierMarket, type SupplierMarket } from './supplier-market.ts';

let market: SupplierMarket;
let acme: SignedIn;
let brightform: SignedIn;

beforeAll(async () => {
  market = await startSupplierMarket();
  acme = await market.market.signedIn.supplier('acme-media');
  brightform = await market.market.signedIn.supplier('brightform');
});
afterAll(() => market.close());

const PATH = '/portal/api/supplier/test-leads';

async function post(lead: object, who = acme): Promise<Json> {
  const { status, json } = await who.send('POST', PATH, { lead }, { 'idempotency-key': newUuid() });
  expect(status).toBe(200);
  return { ...json, body: JSON.parse(json.body) };
}

const decision = (leadId: string, who = acme): Promise<Json> =>
  eventually('it is decided', async () => {
    const { json } = await who.get(`${PATH}/${leadId}`);
    return json.isDecided ? json : null;
  });

describe('A test lead from the portal', () => {
  it('gets the API’s response and a simulated decision', async () => {
    const posted = await post(leadBody(1));
    expect(posted).toEqual({
      status: 202,
      isRepeat: false,
      leadId: posted.body.lead_id,
      body: {
        accepted: true,
        lead_id: expect.stringMatching(/^lead_/) as string,
        score: expect.any(Number) as number,
        processingTime: expect.any(Number) as number,
      },
    });
    expect(await decision(posted.leadId)).toMatchObject({
      leadId: posted.leadId,
      externalId: 'lead-1',
      status: 'Lead Sale',
      statusMeaning: expect.stringContaining('would have been sold') as string,
      score: posted.body.score,
      reasons: [],
    });
    // The same lead posted through the API is the same submission.
    const { json } = await postLead(market.market.url, market.keys['acme-media'], leadBody(1, { test: true }));
    expect(json.lead_id).toBe(posted.leadId);
  });

  it('is a test regardless of its own marks, and in no statistics', async () => {
    for (const more of [{ test: false }, { test: 'no' }, {}]) {
      const { status } = await post(leadBody(2, { external_id: null, ...more }));
      expect(status).toBe(202);
    }
    const [row] = await select<{ live: number }>(
      market.market.database,
      'SELECT count(*)::int AS live FROM lead WHERE NOT is_test',
    );
    expect(row?.live).toBe(0);
    const { json } = await getAsSupplier(market.market.url, market.keys['acme-media'], '/api/v1/supplier/stats');
    expect(json.totals.submitted).toBe(0);
    for (const table of ['delivery', 'transfer', 'lead_count', 'refusal_count'])
      expect([table, await select(market.market.database, `SELECT * FROM ${table}`)]).toEqual([table, []]);
  });

  it('gets all faults with remedies', async () => {
    const posted = await post({ state: 'Kalifornien' });
    expect(posted).toMatchObject({
      status: 422,
      body: { accepted: false, reason: 'email or phone required; name required; state invalid' },
    });
    const seen = await decision(posted.leadId);
    expect(seen).toMatchObject({ status: 'Invalid', score: null });
    expect(seen.reasons.map(({ reason }: Json) => reason)).toEqual([
      'email or phone required',
      'name required',
      'state invalid',
    ]);
  });

  it('without a buyer shows the fields that it lacks', async () => {
    const { leadId } = await post(leadBody(3, { state: 'NY', phone: null }));
    expect(await decision(leadId)).toMatchObject({
      status: 'No Buyer',
      reasons: [{ reason: 'no_buyer' }],
      lacking: ['phone'],
    });
  });

  it('of a person sold before is a duplicate', async () => {
    await market.post('acme-media', leadBody(4));
    await market.decided();
    const { leadId } = await post(leadBody(4, { external_id: 'other' }));
    expect(await decision(leadId)).toMatchObject({ status: 'Duplicate', reasons: [{ reason: 'duplicate' }] });
  });

  it('is recognized when repeated, and conflicts with different content, as in the API', async () => {
    const first = await post(leadBody(5));
    expect(await post(leadBody(5))).toMatchObject({ status: 202, isRepeat: true, leadId: first.leadId });
    const other = await post(leadBody(5, { full_name: 'Somebody Else' }));
    expect(other).toMatchObject({ status: 409, leadId: null, body: { code: 'external_id_conflict', accepted: false } });
  });

  it('uses the supplier’s field mapping, or the standard names', async () => {
    const own = {
      id: 'B-1',
      contact: { name: 'Ann Lee', mail: 'ann.lee@example.com' },
      Mobile: '(555) 555-0123',
      'address.region': 'California',
    };
    const posted = await post(own, brightform);
    expect(posted.status).toBe(202);
    const { json } = await brightform.get(`/portal/api/supplier/submissions/${posted.leadId}`);
    expect(json).toMatchObject({ externalId: 'B-1', test: true, isMapped: true });
    expect(JSON.parse(json.body)).toEqual(own);
    expect((await post({ full_name: 'Ann Lee', phone: '+15555550199' }, brightform)).status).toBe(202);
  });

  it('is stored once for repeated requests with one key', async () => {
    const headers = { 'idempotency-key': newUuid() };
    const send = () => acme.send('POST', PATH, { lead: { full_name: 'No Id', phone: '+15555550145' } }, headers);
    const [first, again] = [await send(), await send()];
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it('is not visible to others', async () => {
    const { leadId } = await post(leadBody(6));
    expect((await brightform.get(`${PATH}/${leadId}`)).status).toBe(404);
    const { lead_id: real } = await market.post('acme-media', leadBody(7));
    expect((await acme.get(`${PATH}/${real}`)).status).toBe(404);
  });

  it('is refused from a supplier that is not approved', async () => {
    const newcomer = await market.market.signedIn.supplier('newcomer');
    const { status, json } = await newcomer.send('POST', PATH, { lead: leadBody(8) });
    expect([status, json.code]).toEqual([403, 'supplier_not_approved']);
  });

  it.each([[{}], [{ lead: null }], [{ lead: [] }], [{ lead: {}, other: 1 }]])(
    'is refused for the body %j',
    async (body) => {
      const { status, json } = await acme.send('POST', PATH, body);
      expect([status, json.code]).toEqual([422, 'validation_failed']);
    },
  );

  it('is rate limited', async () => {
    const responses = await Promise.all(
      Array.from({ length: 60 }, () => brightform.send('POST', PATH, { lead: { full_name: 'Ann Lee' } })),
    );
    const refused = responses.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    for (const { json, headers } of refused) {
      expect(json.code).toBe('rate_limited');
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
  });
});
