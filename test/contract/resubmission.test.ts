// Tests repeated submissions: supplier and external_id are a natural key (contract 3.6, 3.8).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type ApiResponse, getAsSupplier, ingestProblem, postLead, problemFacts } from '../support/api-client.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { storedLead, storedLeads } from '../support/stored-lead.ts';
import { marketYaml, sampleLead } from './market.ts';

let market: TestMarketplace;
let key: string;
let rival: string;

beforeAll(async () => {
  market = await startTestMarketplace({ yaml: marketYaml(), role: 'api' });
  key = await market.supplierKey('acme-media');
  rival = await market.supplierKey('rival-media');
});
afterAll(() => market.close());

const send = (body: object | string): Promise<ApiResponse> => postLead(market.url, key, body);
const totals = async (): Promise<object> =>
  (await getAsSupplier(market.url, key, '/api/v1/supplier/stats')).json.totals;

async function stored(externalId: string): Promise<number> {
  return (await storedLeads(market.database, 'acme-media')).filter((lead) => lead.externalId === externalId).length;
}

/** The members in which a response must match the first one; the processing time differs. */
const seen = ({ status, headers, json }: ApiResponse): unknown[] => [
  status,
  headers.get('idempotent-replayed'),
  Object.keys(json),
  json.lead_id,
  json.score,
];
const repeatOf = ({ json }: ApiResponse): unknown[] => [
  202,
  'true',
  ['accepted', 'lead_id', 'score', 'processingTime'],
  json.lead_id,
  json.score,
];

describe('A repeated submission', () => {
  it('gets the first response with a mark, and is counted once', async () => {
    const first = await send(sampleLead(1));
    const before = await totals();
    const repeat = await send(sampleLead(1));
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(seen(repeat)).toEqual(repeatOf(first));
    expect(await totals()).toEqual(before);
    expect(await stored('A-1')).toBe(1);
    expect(await storedLead(market.database, first.json.lead_id)).toMatchObject({ queued: 1 });
  });

  it('is recognised in another order, with other white space and other spellings of the same value', async () => {
    const first = await send(sampleLead(2, { a: { x: 1, y: [1, 2] }, b: 'z' }));
    const shuffled = Object.fromEntries(Object.entries(sampleLead(2, { b: 'z', a: { y: [1, 2], x: 1 } })).toReversed());
    const same = [
      JSON.stringify(shuffled),
      JSON.stringify(shuffled, null, 3),
      JSON.stringify({ ...shuffled, full_name: '  Jordan Rivera\n' }),
      JSON.stringify({ ...shuffled, state: 'ca' }),
      JSON.stringify({ ...shuffled, debt_amount: 24_500 }),
      JSON.stringify({ ...shuffled, debt_amount: '24500' }),
      JSON.stringify({ ...shuffled, phone: '+1 (555) 200-0002' }),
      JSON.stringify({ ...shuffled, consent_timestamp: '2026-11-20T09:03:11-08:00' }),
      JSON.stringify({ ...shuffled, external_id: ' A-2 ' }),
      JSON.stringify({ ...shuffled, lead_ip: null, utm_medium: ' ', first_name: '' }),
      JSON.stringify(shuffled).replace('Jordan', String.raw`\u004aordan`),
    ];
    for (const body of same) expect(seen(await send(body))).toEqual(repeatOf(first));
    expect(await stored('A-2')).toBe(1);
  });

  it('keeps its first score after a change of the weights', async () => {
    const { external_id: _, ...anonymous } = sampleLead(3, { state: null, consent_timestamp: null });
    const body = { ...anonymous, external_id: 'A-3' };
    const first = await send(body);
    const weights = '{ contact: 0, completeness: 0, consent: 100, supplier: 0, plausibility: 0 }';
    await market.apply(marketYaml().replace('currency: USD', `currency: USD, scoreWeights: ${weights}`));
    const repeat = await send(body);
    const afresh = await send(anonymous);
    await market.apply(marketYaml());
    expect(seen(repeat)).toEqual(repeatOf(first));
    expect(afresh.json.score).not.toBe(first.json.score);
  });

  it('is one lead when sent 50 times at one instant', async () => {
    const body = sampleLead(4);
    const responses = await Promise.all(Array.from({ length: 50 }, () => send(body)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([202]));
    expect(new Set(responses.map(({ json }) => json.lead_id)).size).toBe(1);
    expect(responses.filter(({ headers }) => headers.get('idempotent-replayed') === null)).toHaveLength(1);
    expect(await stored('A-4')).toBe(1);
  });

  it('is one lead and a conflict when sent at one instant in two versions', async () => {
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, index) => send(sampleLead(5, { state: index % 2 === 0 ? 'CA' : 'NY' }))),
    );
    const accepted = responses.filter(({ status }) => status === 202);
    const refused = responses.filter(({ status }) => status === 409);
    expect([accepted.length, refused.length]).toEqual([20, 20]);
    expect(new Set(accepted.map(({ json }) => json.lead_id)).size).toBe(1);
    expect(await stored('A-5')).toBe(1);
  });
});

describe('A submission with other content', () => {
  it.each<[string, Record<string, unknown>]>([
    ['another name', { full_name: 'Jordan R.' }],
    ['another case of the name', { full_name: 'jordan rivera' }],
    ['another case of the email', { email: 'JORDAN.RIVERA.6@example.com' }],
    ['a cent more', { debt_amount: '24500.01' }],
    ['a field less', { business_name: null }],
    ['a field more', { lead_ip: '203.0.113.1' }],
    ['an extra member', { note: 'new' }],
    ['an extra null', { note: null }],
    ['consent said in words', { tcpa_consent: false }],
    ['white space within', { full_name: 'Jordan  Rivera' }],
  ])('%s is a conflict', async (_, change) => {
    await send(sampleLead(6));
    const before = await totals();
    expect(problemFacts(await send(sampleLead(6, change)))).toEqual(ingestProblem(409, 'external_id_conflict'));
    expect(await totals()).toEqual(before);
    expect(await stored('A-6')).toBe(1);
  });

  it('in an extra number is a conflict, however many digits it has', async () => {
    const body = (number: string) => `{"full_name":"J","email":"j7@example.com","external_id":"A-7","click":${number}}`;
    await send(body('9007199254740993'));
    expect((await send(body('9007199254740992'))).status).toBe(409);
    expect((await send(body('9007199254740993'))).status).toBe(202);
    expect((await send(body('"9007199254740993"'))).status).toBe(409);
  });

  it('in the order of a list is a conflict', async () => {
    await send(sampleLead(8, { list: [1, 2] }));
    expect((await send(sampleLead(8, { list: [2, 1] }))).status).toBe(409);
  });
});

describe('The external_id', () => {
  it('is the supplier’s own: another supplier may use it', async () => {
    const first = await send(sampleLead(10));
    const other = await postLead(market.url, rival, sampleLead(10, { state: 'NY' }));
    expect([other.status, other.headers.get('idempotent-replayed')]).toEqual([202, null]);
    expect(other.json.lead_id).not.toBe(first.json.lead_id);
  });

  it('is the same for all credentials of a supplier', async () => {
    const first = await send(sampleLead(11));
    expect(seen(await postLead(market.url, await market.supplierKey('acme-media'), sampleLead(11)))).toEqual(
      repeatOf(first),
    );
  });

  it('is absent from a lead without external_id', async () => {
    const { external_id: _, ...lead } = sampleLead(12);
    const responses = [
      await send(lead),
      await send(lead),
      await send({ ...lead, external_id: ' ' }),
      await send({ ...lead, external_id: null }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
    expect(responses.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, null, null, null]);
    expect(new Set(responses.map(({ json }) => json.lead_id)).size).toBe(4);
  });

  it('has a separate space for test leads', async () => {
    const trial = await send(sampleLead(13, { test: true }));
    const real = await send(sampleLead(13));
    expect([trial.status, real.status, real.headers.get('idempotent-replayed')]).toEqual([202, 202, null]);
    expect(real.json.lead_id).not.toBe(trial.json.lead_id);
    expect(seen(await send(sampleLead(13, { test: true })))).toEqual(repeatOf(trial));
    expect(seen(await send(sampleLead(13, { test: false })))).toEqual(repeatOf(real));
    expect((await send(sampleLead(13, { test: true, state: 'NY' }))).status).toBe(409);
  });

  it('is case-sensitive', async () => {
    const first = await send(sampleLead(14, { external_id: 'abc' }));
    const second = await send(sampleLead(14, { external_id: 'ABC' }));
    expect(second.json.lead_id).not.toBe(first.json.lead_id);
  });

  it('may be any text of 500 characters', async () => {
    const externalId = '"😀\u202e\u001f'.padEnd(400, 'ß');
    const first = await send(sampleLead(15, { external_id: externalId }));
    expect(seen(await send(sampleLead(15, { external_id: externalId })))).toEqual(repeatOf(first));
  });

  it('cannot be chosen to match the key of another supplier', async () => {
    const one = await send(sampleLead(16, { external_id: 'live x', test: true }));
    const other = await send(sampleLead(16, { external_id: 'x' }));
    expect([one.status, other.status, other.headers.get('idempotent-replayed')]).toEqual([202, 202, null]);
  });
});

describe('A rejected submission', () => {
  it('is counted each time and does not occupy its external_id', async () => {
    const before = (await totals()) as { submitted: number; rejected: number };
    const broken = sampleLead(20, { email: 'no' });
    const refusals = [await send(broken), await send(broken), await send(broken)];
    expect(refusals.map(({ status, headers }) => [status, headers.get('idempotent-replayed')])).toEqual([
      [422, null],
      [422, null],
      [422, null],
    ]);
    const put = await send(sampleLead(20));
    expect([put.status, put.headers.get('idempotent-replayed')]).toEqual([202, null]);
    expect(await totals()).toMatchObject({ submitted: before.submitted + 4, rejected: before.rejected + 3 });
  });

  it('is rejected again after its external_id was accepted, and the accepted lead is unchanged', async () => {
    const first = await send(sampleLead(21));
    expect((await send(sampleLead(21, { phone: 'no' }))).status).toBe(422);
    expect(seen(await send(sampleLead(21)))).toEqual(repeatOf(first));
  });

  it('is not in the statistics if it is a test lead', async () => {
    const before = await totals();
    expect((await send(sampleLead(22, { test: true, email: 'no' }))).status).toBe(422);
    expect((await send(sampleLead(23, { test: true }))).status).toBe(202);
    expect(await totals()).toEqual(before);
  });
});
