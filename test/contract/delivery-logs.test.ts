// Tests GET delivery-logs and timeline: the result of every attempt, and the history of one delivery (contract 6.13).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { newUuid, typeId } from '../../src/base/ids.ts';
import { type ApiResponse, getAsBuyer, postAsBuyer, postLead, problem, problemFacts } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import type { Json } from '../support/scope-app.ts';
import { betaMarketYaml } from './beta-market.ts';
import { sampleLead } from './market.ts';

const LOGS = '/api/v1/buyer/delivery-logs';
const ATTEMPT_MEMBERS = [
  'attemptId',
  'deliveryId',
  'deliveryRef',
  'channel',
  'target',
  'attempt',
  'state',
  'responseCode',
  'responseSnippet',
  'latencyMs',
  'error',
  'test',
  'at',
  'nextAttemptAt',
];
const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

let market: TestMarketplace;
let receiver: Receiver;
let key: string;
let summit: string;
let harbor: string;
let quiet: string;
let serial = 0;
/** The next status codes of the receiver, by path. */
const plan: number[] = [];

beforeAll(async () => {
  receiver = await startReceiver({
    respond: ({ path }) => ({
      status: path.startsWith('/summit') ? (plan.shift() ?? 200) : 200,
      body: '{"seen":true}',
    }),
  });
  market = await startTestMarketplace({ yaml: betaMarketYaml(receiver), allowTargets: [receiver.origin] });
  key = await market.supplierKey('acme-media');
  [summit, harbor, quiet] = [
    await market.buyerToken('summit'),
    await market.buyerToken('harbor'),
    await market.buyerToken('quiet'),
  ];
});
afterAll(async () => {
  await market.close();
  await receiver.close();
});

const logs = (token: string, query = ''): Promise<ApiResponse> => getAsBuyer(market.url, token, LOGS + query);
const timeline = (token: string, id: string): Promise<ApiResponse> =>
  getAsBuyer(market.url, token, `/api/v1/buyer/leads/${id}/timeline`);

/** Posts a lead for the state and returns its delivery once it is no longer pending. */
async function sold(token: string, state: string): Promise<Json> {
  const list = async (): Promise<Json> => (await getAsBuyer(market.url, token, '/api/v1/buyer/leads')).json;
  const before = (await list()).total;
  expect((await postLead(market.url, key, sampleLead((serial += 1), { state }))).status).toBe(202);
  return eventually('the lead is decided', async () => {
    const { total, data } = await list();
    return total > before && data[0].status !== 'Pending' ? data[0] : null;
  });
}

describe('The log of deliveries', () => {
  it('shows every attempt with exactly the members of the contract, newest first', async () => {
    plan.push(503, 429);
    const delivery = await sold(summit, 'CA');
    const { status, json } = await logs(summit);
    expect([status, Object.keys(json)]).toEqual([200, ['data']]);
    for (const attempt of json.data) expect(Object.keys(attempt)).toEqual(ATTEMPT_MEMBERS);
    const own = json.data.filter(({ deliveryId }: Json) => deliveryId === delivery.deliveryId);
    expect(own.map(({ attempt, state, responseCode }: Json) => [attempt, state, responseCode])).toEqual([
      [3, 'succeeded', 200],
      [2, 'failed', 429],
      [1, 'failed', 503],
    ]);
    expect(own[0]).toEqual({
      attemptId: expect.stringMatching(/^att_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
      deliveryId: delivery.deliveryId,
      deliveryRef: delivery.deliveryRef,
      channel: 'webhook',
      target: `${receiver.origin}/…`,
      attempt: 3,
      state: 'succeeded',
      responseCode: 200,
      responseSnippet: '{"seen":true}',
      latencyMs: expect.any(Number),
      error: null,
      test: false,
      at: INSTANT,
      nextAttemptAt: null,
    });
    expect(own[1].nextAttemptAt).toEqual(INSTANT);
  });

  it('never shows the path or query of a target, which may contain tokens', async () => {
    await sold(summit, 'CA');
    expect((await logs(summit)).text).not.toContain('hidden-token');
  });

  it('shows nothing of another partner', async () => {
    const delivery = await sold(harbor, 'NY');
    const [own, other] = [await logs(harbor), await logs(summit)];
    expect(own.json.data.map(({ deliveryId }: Json) => deliveryId)).toContain(delivery.deliveryId);
    expect(other.text).not.toContain(delivery.deliveryId);
    for (const word of ['acme', 'summit', 'score']) expect([word, own.text.includes(word)]).toEqual([word, false]);
  });

  it('has as many attempts as requested, 50 by default', async () => {
    await market.database.pool.query(
      `INSERT INTO attempt (attempt_id, buyer_key, channel, target, attempt, state, is_test, at)
       SELECT id, 'quiet', 'webhook', 'https://x.example/', 1, 'succeeded', true, '2026-11-20T17:00:00Z' FROM unnest($1::uuid[]) AS u (id)`,
      [Array.from({ length: 230 }, () => newUuid())],
    );
    for (const [query, count] of [
      ['', 50],
      ['?limit=1', 1],
      ['?limit=200', 200],
    ] as const) {
      const { json } = await logs(quiet, query);
      const ids = json.data.map(({ attemptId }: Json) => attemptId);
      expect([query, ids.length]).toEqual([query, count]);
      expect(ids).toEqual(ids.toSorted().toReversed());
    }
  });

  it.each([
    ['limit=0', 'out_of_range'],
    ['limit=201', 'out_of_range'],
    ['limit=-1', 'out_of_range'],
    ['limit=1.5', 'wrong_type'],
    ['limit=', 'empty'],
    ['limit=ten', 'wrong_type'],
    ['limit=1&limit=2', 'repeated'],
  ])('rejects %s', async (query, code) => {
    const response = await logs(summit, `?${query}`);
    expect(problemFacts(response)).toEqual(problem(400, 'invalid_query', 'errors'));
    expect(response.json.errors).toEqual([{ field: 'limit', code, message: expect.any(String) }]);
  });
});

describe('The timeline of a delivery', () => {
  it('shows its events, oldest first', async () => {
    plan.push(500);
    const delivery = await sold(summit, 'CA');
    const { status, json } = await timeline(summit, delivery.deliveryId);
    expect([status, Object.keys(json)]).toEqual([200, ['deliveryId', 'deliveryRef', 'status', 'events', 'attempts']]);
    expect([json.deliveryId, json.deliveryRef, json.status]).toEqual([
      delivery.deliveryId,
      delivery.deliveryRef,
      'Confirmed',
    ]);
    for (const event of json.events)
      expect(event).toEqual({ at: INSTANT, type: expect.any(String), message: expect.stringMatching(/\.$/) });
    expect(json.events.map(({ type }: Json) => type)).toEqual([
      'delivery.routed',
      'attempt.failed',
      'attempt.succeeded',
      'delivery.confirmed',
      'delivery.charged',
    ]);
    expect(json.events[0].at).toBe(delivery.deliveredAt);
    expect(json.events.at(-1).message).toContain('45.00');
    expect(json.attempts.map(({ attempt }: Json) => attempt)).toEqual([1, 2]);
    for (const attempt of json.attempts) expect(Object.keys(attempt)).toEqual(ATTEMPT_MEMBERS);
    const { json: log } = await logs(summit);
    expect(json.attempts.toReversed()).toEqual(
      log.data.filter(({ deliveryId }: Json) => deliveryId === delivery.deliveryId),
    );
  });

  it('includes a delivery that is only read through the API', async () => {
    const delivery = await sold(quiet, 'WA');
    const { json } = await timeline(quiet, delivery.deliveryId);
    expect(json.events.map(({ type }: Json) => type)).toEqual([
      'delivery.routed',
      'delivery.confirmed',
      'delivery.charged',
    ]);
    expect(json.attempts).toEqual([]);
  });

  it('includes failures and redeliveries', async () => {
    plan.push(400, 400, 400);
    const delivery = await sold(summit, 'CA');
    expect(delivery.status).toBe('Failed');
    const failed = await timeline(summit, delivery.deliveryId);
    expect(failed.json.events.map(({ type }: Json) => type)).toEqual([
      'delivery.routed',
      'attempt.failed',
      'attempt.failed',
      'attempt.exhausted',
      'delivery.failed',
    ]);
    await postAsBuyer(market.url, summit, `/api/v1/buyer/leads/${delivery.deliveryId}/redeliver`);
    const again = await eventually('it is sent again', async () => {
      const { json } = await timeline(summit, delivery.deliveryId);
      return json.attempts.at(-1).state === 'succeeded' ? json : null;
    });
    expect([again.status, again.events.slice(-2).map(({ type }: Json) => type)]).toEqual([
      'Confirmed',
      ['delivery.confirmed', 'delivery.charged'],
    ]);
  });

  it('contains nothing of the supplier, the score, other buyers or the offer', async () => {
    const delivery = await sold(summit, 'CA');
    const { text } = await timeline(summit, delivery.deliveryId);
    for (const word of ['acme', 'harbor', 'score', 'offer', 'summit-west', 'margin', 'A-', 'hidden-token'])
      expect([word, text.includes(word)]).toEqual([word, false]);
  });

  it('is the same 404 for another partner’s, an unknown and a malformed id', async () => {
    const { deliveryId } = await sold(summit, 'CA');
    const ids = [
      deliveryId,
      typeId('delivery', newUuid()),
      deliveryId.replace('dlv_', 'lead_'),
      deliveryId.toUpperCase(),
      `${deliveryId}0`,
      deliveryId.slice(4),
      'dlv_',
      'x'.repeat(3000),
    ];
    const bodies = new Set<string>();
    for (const id of ids) {
      const response = await timeline(harbor, id);
      expect(problemFacts(response)).toEqual(problem(404, 'delivery_not_found'));
      bodies.add(response.text.replace(response.json.requestId, ''));
    }
    expect(bodies.size).toBe(1);
  });
});
