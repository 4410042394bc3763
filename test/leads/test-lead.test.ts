// Tests test leads: they are validated, scored and routed without delivery, charge or statistics (contract 3.8).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { LeadTrace } from '../../src/routing/trace-lead.ts';
import { call } from '../support/api-client.ts';
import { ledgerFaults, leadsByStatus, select } from '../support/ledger-faults.ts';
import { eventually } from '../support/eventually.ts';
import { connectSupplier, leadBody, type Supplier } from '../support/leads.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { traceOf } from '../support/trace.ts';

const marketplaceFile = (url: string): string => `
marketplace: { holdMinutes: 0 }
suppliers: [{ key: acme, status: approved }, { key: other, status: approved }]
partners:
  - key: summit
    channels: [webhook]
    settings: { webhookUrl: "${url}" }
    billing: { mode: postpaid, creditLimit: 10 }
    offers: [{ key: summit-one, eventType: Lead Sale, payout: 10.00, filters: { states: [CA] }, caps: { daily: 1 } }]
`;

let receiver: Receiver;
let market: TestMarketplace;
let key: string;
let supplier: Supplier;

beforeAll(async () => {
  receiver = await startReceiver();
  market = await startTestMarketplace({ yaml: marketplaceFile(receiver.origin), allowTargets: [receiver.origin] });
  key = await market.supplierKey('acme');
  supplier = connectSupplier(market.url, { key, connections: 4 });
});

afterAll(async () => {
  await supplier.close();
  await market.close();
  await receiver.close();
});

const stats = async (): Promise<unknown> =>
  (await call(`${market.url}/api/v1/supplier/stats`, { headers: { 'x-api-key': key } })).json;

/** The trace of the lead once it is decided. */
async function decided(leadId: string): Promise<LeadTrace> {
  return eventually('the lead is decided', async () => {
    const seen = await traceOf(market.database, leadId);
    return seen.decision === null ? null : seen;
  });
}

describe('A test lead', () => {
  let score: number;

  it('is validated and scored like a live lead', async () => {
    const accepted = await supplier.post(leadBody(1, { test: true }));
    expect(accepted.status).toBe(202);
    expect(accepted.json).toMatchObject({ accepted: true, score: expect.any(Number) as number });
    score = accepted.json.score;
    const refused = await supplier.post({ external_id: 'T-2', test: true });
    expect(refused.status).toBe(422);
    expect(refused.json).toMatchObject({ accepted: false, reason: 'email or phone required; name required' });
    expect(await leadsByStatus(market.database)).toEqual({});
  });

  it('is routed without delivery: the decision names the offer that would win', async () => {
    const { json } = await supplier.post(leadBody(1, { test: true }));
    const seen = await decided(json.lead_id);
    expect(seen.lead).toMatchObject({ test: true, state: 'routed', status: 'Lead Sale', score });
    expect(seen.decision?.offers).toEqual([
      { offerKey: 'summit-one', partnerKey: 'summit', result: 'sold', code: 'sold' },
    ]);
    expect(seen).toMatchObject({ deliveries: [], attempts: [], ledger: [] });
    for (const table of [
      'delivery',
      'send_job',
      'attempt',
      'cap_counter',
      'person_sale',
      'transfer',
      'lead_count',
      'delivery_count',
    ]) {
      expect([table, await select(market.database, `SELECT * FROM ${table}`)]).toEqual([table, []]);
    }
    expect(receiver.requests).toEqual([]);
  });

  it('uses no cap, funds or external id of a live lead, even for the same person', async () => {
    for (const external_id of ['T-3', 'T-4']) {
      const { json } = await supplier.post(leadBody(1, { external_id, test: true }));
      expect((await decided(json.lead_id)).lead).toMatchObject({ status: 'Lead Sale' });
    }
    const real = await supplier.post(leadBody(1));
    expect([real.status, real.isReplay]).toEqual([202, false]);
    expect(real.json.score).toBe(score);
    await eventually('the lead that is meant has come', () => receiver.requests.length === 1);
    expect((await decided(real.json.lead_id)).deliveries).toHaveLength(1);
    await eventually('it is confirmed', async () => (await ledgerFaults(market.database)).length === 0);
  });

  it('is recognised as a repeat by its external id among test leads only', async () => {
    const [paper, meant] = [await supplier.post(leadBody(1, { test: true })), await supplier.post(leadBody(1))];
    expect([paper.isReplay, meant.isReplay]).toEqual([true, true]);
    expect(paper.json.lead_id).not.toBe(meant.json.lead_id);
  });

  it('respects used caps and earlier sales', async () => {
    const same = await decided((await supplier.post(leadBody(1, { external_id: 'T-5', test: true }))).json.lead_id);
    expect(same.lead).toMatchObject({ state: 'rejected' });
    const other = await decided((await supplier.post(leadBody(2, { test: true }))).json.lead_id);
    expect(other.lead).toMatchObject({ state: 'rejected', status: 'No Buyer' });
    expect(other.decision?.offers).toMatchObject([{ offerKey: 'summit-one', code: 'cap_reached' }]);
    await market.apply(
      marketplaceFile(receiver.origin).replace('daily: 1', 'daily: 5').replace('creditLimit: 10', 'creditLimit: 100'),
    );
    const repeated = await decided((await supplier.post(leadBody(1, { external_id: 'T-6', test: true }))).json.lead_id);
    expect(repeated.lead).toMatchObject({ state: 'rejected', status: 'Duplicate' });
  });

  it('does not reveal sales of another supplier', async () => {
    const stranger = connectSupplier(market.url, { key: await market.supplierKey('other'), connections: 1 });
    const paper = await decided((await stranger.post(leadBody(1, { test: true }))).json.lead_id);
    expect(paper.lead).toMatchObject({ state: 'routed', status: 'Lead Sale' });
    // A live lead is a duplicate for every supplier.
    const meant = await decided((await stranger.post(leadBody(1))).json.lead_id);
    expect(meant.lead).toMatchObject({ status: 'Duplicate' });
    await stranger.close();
  });

  it('is not counted in statistics', async () => {
    expect(await stats()).toMatchObject({
      totals: { submitted: 1, routed: 1, rejected: 0, pending: 0, avgScore: score },
      byStatus: { 'Lead Sale': 1 },
    });
    expect(receiver.requests).toHaveLength(1);
    expect(await ledgerFaults(market.database)).toEqual([]);
  });

  it('is limited to 20 at once for API and portal together, with retry-after', async () => {
    const fresh = await market.supplierKey('other');
    const post = (body: object) =>
      call(`${market.url}/api/v1/ingest`, { headers: { 'x-api-key': fresh }, method: 'POST', body });
    const responses = await Promise.all(Array.from({ length: 60 }, () => post({ test: true, full_name: 'Test Lead' })));
    expect(responses.filter(({ status }) => status === 422).length).toBeGreaterThan(0);
    const refused = responses.find(({ status }) => status === 429);
    expect(refused?.json).toMatchObject({ code: 'rate_limited', accepted: false });
    expect(refused?.headers.get('retry-after')).toBe('1');
    expect(refused?.headers.get('ratelimit-limit')).toBe('20');
    expect((await post({ full_name: 'Meant Lead' })).status).toBe(422);
  });
});
