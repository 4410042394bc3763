// The console's dead letters and failed deliveries: lists, reasons, retries (contract 7.2).
import { parse } from 'csv-parse/sync';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { type DeliveryId, newUuid, typeId, type Uuid } from '../../src/base/ids.ts';
import { sumFailedDeliveries } from '../../src/deliveries/redelivery/failed-deliveries.ts';
import { betaMarketYaml } from '../contract/beta-market.ts';
import { plantDeliveries } from '../deliveries/plant-deliveries.ts';
import type { ApiResponse } from '../support/api-client.ts';
import { handClock } from '../support/hand-clock.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import type { Json } from '../support/scope-app.ts';

const clock = handClock('2026-11-20T12:00:00.000Z');
const at = (hour: number): Date => new Date(Date.UTC(2026, 10, 20, hour));

let market: TestMarketplace;
beforeAll(async () => {
  market = await startTestMarketplace({ yaml: betaMarketYaml({ origin: 'https://crm.example' }), role: 'api', clock });
});
afterAll(() => market.close());
afterEach(async () => {
  for (const table of ['dead_job', 'message_job', 'routing_inbox', 'send_job', 'attempt', 'delivery'])
    await sql(`DELETE FROM ${table}`);
});

const sql = async (text: string, values: readonly unknown[] = []): Promise<Json[]> =>
  (await market.database.pool.query(text, [...values])).rows;
// A new session each time: with a frozen clock rate limits never refill.
const get = async (path: string): Promise<ApiResponse> => (await market.signedIn.operator('ada')).get(path);
const post = async (path: string, body: object = {}, headers: Record<string, string> = {}): Promise<ApiResponse> =>
  (await market.signedIn.operator('ada')).send('POST', path, body, headers);

/** The ids of a list's rows on all of its pages, in their order. */
async function idsOnPages(path: string, member: string, query: string): Promise<string[]> {
  const ids: string[] = [];
  for (let after = ''; ;) {
    const { json } = await get(`${path}?${query}${after}`);
    ids.push(...(json.data as Json[]).map((row) => row[member] as string));
    if (json.next === null) return ids;
    after = `&after=${json.next as string}`;
  }
}

async function linesOf(list: string, query: string): Promise<ReadonlyArray<Record<string, string>>> {
  const { text } = await get(`/console/api/exports/${list}?query=${encodeURIComponent(query)}`);
  return parse(text, { columns: true });
}

type Dead = { readonly name: 'route-lead' | 'send-message'; readonly owner?: string; readonly error?: string };

async function moveToDeadLetters({ name, owner = 'summit', error = 'HTTP 500' }: Dead, hour: number): Promise<string> {
  const jobId = newUuid();
  const payload =
    name === 'route-lead'
      ? { leadId: newUuid() }
      : {
          ...{ messageId: jobId, ownerKind: 'buyer', ownerKey: owner, channel: 'webhook', type: 'return.reviewed' },
          ...{ data: '{"secret":"of the lead"}', deliveryId: null, occurredAt: at(hour).toISOString() },
        };
  await sql('INSERT INTO dead_job VALUES ($1, $2, $3, 9, $4, $5)', [
    ...[jobId, name, JSON.stringify(payload), error, at(hour)],
  ]);
  return typeId('event', jobId);
}

describe('the console’s dead letters', () => {
  it('are counted for the menu', async () => {
    expect((await get('/console/api/waiting')).json).toEqual({ claims: 0, failures: 0 });
    await moveToDeadLetters({ name: 'send-message' }, 1);
    await moveToDeadLetters({ name: 'route-lead' }, 2);
    expect((await get('/console/api/waiting')).json).toEqual({ claims: 0, failures: 2 });
  });

  it('are listed newest first with job and error, without payload', async () => {
    const older = await moveToDeadLetters({ name: 'send-message' }, 1);
    const newer = await moveToDeadLetters({ name: 'route-lead', error: 'It could not be decided.' }, 2);
    const { json, text } = await get('/console/api/jobs');
    expect(json.data).toEqual([
      {
        jobId: newer,
        name: 'route-lead',
        attempts: 9,
        error: 'It could not be decided.',
        failedAt: at(2).toISOString(),
        leadId: expect.stringMatching(/^lead_/) as string,
        message: null,
      },
      {
        jobId: older,
        name: 'send-message',
        attempts: 9,
        error: 'HTTP 500',
        failedAt: at(1).toISOString(),
        leadId: null,
        message: {
          ...{ type: 'return.reviewed', ownerKind: 'buyer', ownerKey: 'summit', channel: 'webhook' },
          ...{ deliveryId: null, occurredAt: at(1).toISOString() },
        },
      },
    ]);
    expect(json.next).toBeNull();
    expect(text).not.toContain('secret');
  });

  it('are grouped by job, owner and error', async () => {
    await moveToDeadLetters({ name: 'send-message' }, 1);
    await moveToDeadLetters({ name: 'send-message' }, 2);
    await moveToDeadLetters({ name: 'send-message', owner: 'harbor' }, 3);
    const { json } = await get('/console/api/jobs');
    expect(json.groups).toEqual([
      { name: 'send-message', owner: 'summit', error: 'HTTP 500', jobs: 2, latestAt: at(2).toISOString() },
      { name: 'send-message', owner: 'harbor', error: 'HTTP 500', jobs: 1, latestAt: at(3).toISOString() },
    ]);
    const { json: ofHarbor } = await get('/console/api/jobs?owner=harbor&name=send-message&error=HTTP+500');
    expect(ofHarbor.data).toHaveLength(1);
  });

  it('are counted by job, under the filters of the list', async () => {
    await moveToDeadLetters({ name: 'send-message' }, 1);
    await moveToDeadLetters({ name: 'send-message', owner: 'harbor' }, 2);
    await moveToDeadLetters({ name: 'route-lead' }, 3);
    const sums = async (query = ''): Promise<Json> => (await get(`/console/api/jobs/sums${query}`)).json;
    const all = { rows: 3, isAll: true, counts: { 'route-lead': 1, 'send-message': 2 }, amounts: {}, currency: 'USD' };
    expect(await sums()).toEqual(all);
    expect(await sums('?owner=harbor')).toMatchObject({ rows: 1, counts: { 'send-message': 1 } });
    expect(await sums('?error=none')).toMatchObject({ rows: 0, counts: {} });
  });

  it('are paged', async () => {
    for (let count = 0; count < 51; count += 1) await moveToDeadLetters({ name: 'send-message' }, 1);
    const { json: first } = await get('/console/api/jobs');
    const { json: second } = await get(`/console/api/jobs?after=${first.next as string}`);
    expect([first.data.length, second.data.length, second.next, second.groups]).toEqual([50, 1, null, []]);
    const all = [...first.data, ...second.data].map(({ jobId }: Json) => jobId as string);
    expect(new Set(all).size).toBe(51);
    expect((await get('/console/api/jobs?after=nonsense')).status).toBe(400);
  });

  it('come oldest first too, each of them once on the pages and in the file', async () => {
    // Most of them failed at the same time as another one.
    for (let count = 0; count < 60; count += 1) await moveToDeadLetters({ name: 'send-message' }, count % 7);
    const newest = await idsOnPages('/console/api/jobs', 'jobId', '');
    expect(new Set(newest).size).toBe(60);
    expect(await idsOnPages('/console/api/jobs', 'jobId', 'sort=-failed')).toEqual(newest);
    expect(await idsOnPages('/console/api/jobs', 'jobId', 'sort=failed')).toEqual(newest.toReversed());
    const lines = await linesOf('dead-letters', 'sort=failed');
    const hours = lines.map((line) => line['failed_at'] ?? '');
    expect(hours).toEqual(hours.toSorted());
    expect([hours.length, hours[0]]).toEqual([60, at(0).toISOString()]);
    expect((await get('/console/api/jobs?sort=error')).json.code).toBe('invalid_query');
  });

  it('are retried one by one with an audit event', async () => {
    const lead = await moveToDeadLetters({ name: 'route-lead' }, 1);
    const message = await moveToDeadLetters({ name: 'send-message' }, 2);
    const { status, json } = await post(`/console/api/jobs/${lead}/retry`);
    expect([status, json]).toEqual([200, { jobId: lead, name: 'route-lead', retried: true }]);
    expect(await sql('SELECT failures FROM routing_inbox')).toEqual([{ failures: 0 }]);
    expect((await post(`/console/api/jobs/${message}/retry`)).status).toBe(200);
    expect(await sql('SELECT owner_key, type FROM message_job')).toEqual([
      { owner_key: 'summit', type: 'return.reviewed' },
    ]);
    expect(await sql('SELECT * FROM dead_job')).toEqual([]);
    expect(await sql(`SELECT actor_name, action FROM audit_event WHERE target = $1`, [lead])).toEqual([
      { actor_name: 'ada', action: 'job.retried' },
    ]);
  });

  it('are retried once for repeated requests with one key', async () => {
    const jobId = await moveToDeadLetters({ name: 'send-message' }, 1);
    const key = { 'idempotency-key': 'once-and-no-more' };
    const responses = [await post(`/console/api/jobs/${jobId}/retry`, {}, key)];
    responses.push(await post(`/console/api/jobs/${jobId}/retry`, {}, key));
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect((await post(`/console/api/jobs/${jobId}/retry`)).json).toMatchObject({ status: 404, code: 'not_found' });
  });

  it('are retried as a group, without touching others', async () => {
    for (const hour of [1, 2, 3]) await moveToDeadLetters({ name: 'send-message' }, hour);
    await moveToDeadLetters({ name: 'send-message', owner: 'harbor' }, 4);
    await moveToDeadLetters({ name: 'send-message', error: 'HTTP 404' }, 5);
    const input = { name: 'send-message', owner: 'summit', error: 'HTTP 500' };
    expect((await post('/console/api/jobs/retry', input)).json).toEqual({ retried: 3, remaining: 0 });
    expect((await post('/console/api/jobs/retry', input)).json).toEqual({ retried: 0, remaining: 0 });
    expect(await sql('SELECT count(*)::int AS left FROM dead_job')).toEqual([{ left: 2 }]);
  });

  it('are retried 500 per request, with the number left', async () => {
    await sql(
      `INSERT INTO dead_job SELECT gen_random_uuid(), 'route-lead', json_build_object('leadId', gen_random_uuid()), 5, 'It could not be decided.', $1
       FROM generate_series(1, 600)`,
      [at(1)],
    );
    expect((await post('/console/api/jobs/retry', {})).json).toEqual({ retried: 500, remaining: 100 });
    expect((await post('/console/api/jobs/retry', {})).json).toEqual({ retried: 100, remaining: 0 });
  });
});

type Failure = { readonly hour: number; readonly channel?: string; readonly code?: number; readonly error?: string };

let people = 0;

async function fail(buyerKey: string, { hour, channel = 'webhook', code, error }: Failure): Promise<Uuid> {
  const [planted] = await plantDeliveries(market.database, buyerKey, [
    {
      status: 'Failed',
      at: at(hour),
      offerKey: buyerKey === 'summit' ? 'summit-west' : 'harbor-east',
      fields: { phone: `+1555${3_000_000 + (people += 1)}`, email: null },
    },
  ]);
  const deliveryId = planted?.deliveryId ?? '';
  await sql(`UPDATE delivery SET channel = $2, failed_at = $3 WHERE delivery_id = $1`, [deliveryId, channel, at(hour)]);
  await sql(
    `INSERT INTO attempt (attempt_id, delivery_id, buyer_key, channel, target, attempt, state, response_code, error, is_test, at)
     VALUES ($1, $2, $3, $4, 'https://crm.example/…', 1, 'exhausted', $5, $6, false, $7)`,
    [newUuid(), deliveryId, buyerKey, channel, code ?? null, error ?? null, at(hour)],
  );
  return deliveryId;
}

describe('the console’s failed deliveries', () => {
  it('are listed newest first with the reason and whether they can be sent again', async () => {
    const byMail = await fail('summit', { hour: 1, channel: 'email', error: 'The address is unknown.' });
    const byWebhook = await fail('harbor', { hour: 2, code: 503 });
    const { json } = await get('/console/api/failed-deliveries');
    expect(json).toMatchObject({ currency: 'USD', next: null });
    expect(json.data).toMatchObject([
      {
        deliveryId: typeId('delivery', byWebhook as DeliveryId),
        deliveryRef: expect.stringMatching(/^LS-\d+$/) as string,
        leadId: expect.stringMatching(/^lead_/) as string,
        partner: 'harbor',
        partnerName: 'Harbor Financial',
        failedAt: at(2).toISOString(),
        reason: 'HTTP 503',
        retryStatus: 'failed',
        refusal: null,
      },
      {
        deliveryId: typeId('delivery', byMail as DeliveryId),
        reason: 'The address is unknown.',
        refusal: 'delivery_not_redeliverable',
      },
    ]);
    expect(json.groups).toMatchObject([
      { partner: 'harbor', channel: 'webhook', reason: 'HTTP 503', deliveries: 1 },
      { partner: 'summit', channel: 'email', reason: 'The address is unknown.', deliveries: 1 },
    ]);
    const { json: ofSummit } = await get('/console/api/failed-deliveries?partner=summit');
    expect(ofSummit.data).toHaveLength(1);
  });

  it.each([
    ['of all partners', ''],
    ['of one partner', 'partner=summit&'],
  ])('are paged (%s)', async (_says, query) => {
    for (let hour = 0; hour < 51; hour += 1) await fail('summit', { hour: hour % 5, code: 500 });
    const { json: first } = await get(`/console/api/failed-deliveries?${query}`);
    const { json: second } = await get(`/console/api/failed-deliveries?${query}after=${first.next as string}`);
    expect([first.data.length, second.data.length, second.next]).toEqual([50, 1, null]);
    const rows: readonly Json[] = [...first.data, ...second.data];
    expect(new Set(rows.map(({ deliveryId }) => deliveryId as string)).size).toBe(51);
    await fail('harbor', { hour: 1, code: 500 });
    const amount = rows.reduce((sum, { payout }) => sum + payout, 0);
    const sums = (await get(`/console/api/failed-deliveries/sums?partner=summit`)).json;
    expect(sums).toEqual({ rows: 51, isAll: true, counts: {}, amounts: { lost: amount }, currency: 'USD' });
    expect((await get('/console/api/failed-deliveries/sums')).json).toMatchObject({ rows: 52, isAll: true });
    const latest = { buyerKey: null, verticalKey: null, limit: 20 };
    expect(await market.database.tx((tx) => sumFailedDeliveries(tx, latest))).toMatchObject({ rows: 20, isAll: false });
  });

  it.each([
    ['of all partners', ''],
    ['of one partner', 'partner=summit&'],
  ])('come in the order of failure, each of them once on the pages and in the file (%s)', async (_says, query) => {
    for (let hour = 0; hour < 60; hour += 1) await fail('summit', { hour: hour % 7, code: 500 });
    // The order of delivery is the reverse one.
    await sql(`UPDATE delivery SET delivered_at = timestamptz '2026-01-01' - (failed_at - timestamptz '2026-01-01')`);
    const path = '/console/api/failed-deliveries';
    const newest = await idsOnPages(path, 'deliveryId', query);
    expect(new Set(newest).size).toBe(60);
    expect(await idsOnPages(path, 'deliveryId', `${query}sort=-failed`)).toEqual(newest);
    expect(await idsOnPages(path, 'deliveryId', `${query}sort=failed`)).toEqual(newest.toReversed());
    const { data } = (await get(`${path}?${query}sort=failed`)).json;
    const times = (data as Json[]).map(({ failedAt }) => failedAt as string);
    expect(times).toEqual(times.toSorted());
    const refs = (await linesOf('failed-deliveries', `${query}sort=failed`)).map((line) => line['delivery']);
    expect([refs.length, refs.slice(0, data.length)]).toEqual([
      60,
      (data as Json[]).map((row) => row['deliveryRef'] as string),
    ]);
    expect((await get(`${path}?${query}sort=payout`)).json.code).toBe('invalid_query');
  });

  it('are sent again one by one and become Pending', async () => {
    const deliveryId = typeId('delivery', (await fail('summit', { hour: 1, code: 500 })) as DeliveryId);
    const { status, json } = await post(`/console/api/deliveries/${deliveryId}/retry`);
    expect([status, json]).toMatchObject([200, { deliveryId, status: 'Pending', queued: true }]);
    expect(await sql('SELECT purpose, channel FROM send_job')).toEqual([{ purpose: 'sale', channel: 'webhook' }]);
    // It is no longer a failed delivery.
    expect((await get('/console/api/failed-deliveries')).json.data).toEqual([]);
    expect((await post(`/console/api/deliveries/${deliveryId}/retry`)).json.code).toBe('delivery_not_redeliverable');
    const audit = await sql(
      `SELECT actor_name, ip IS NOT NULL AS "hasIp" FROM audit_event WHERE target = $1 AND action = 'delivery.redelivery_requested'`,
      [deliveryId],
    );
    expect(audit).toEqual([{ actor_name: 'ada', hasIp: true }]);
  });

  it('show why they cannot be sent again', async () => {
    const byMail = typeId(
      'delivery',
      (await fail('summit', { hour: 1, channel: 'email', error: 'No.' })) as DeliveryId,
    );
    const { status, json } = await post(`/console/api/deliveries/${byMail}/retry`);
    expect([status, json.code]).toEqual([409, 'delivery_not_redeliverable']);
    const unknown = await post(`/console/api/deliveries/${typeId('delivery', newUuid())}/retry`);
    expect([unknown.status, unknown.json.code]).toEqual([404, 'delivery_not_found']);
  });

  it('are sent again as a group of one partner and reason', async () => {
    await fail('summit', { hour: 1, code: 503 });
    await fail('summit', { hour: 2, code: 503 });
    await fail('summit', { hour: 3, error: 'No response came in time.' });
    await fail('harbor', { hour: 4, code: 503 });
    const input = { partner: 'summit', reason: 'HTTP 503' };
    const { json } = await post('/console/api/failed-deliveries/retry', input);
    expect(json).toEqual({ queued: 2, skipped: [], isMore: false });
    // Deliveries that are queued already are not queued again.
    expect((await post('/console/api/failed-deliveries/retry', { partner: 'summit' })).json).toMatchObject({
      queued: 1,
    });
    expect((await post('/console/api/failed-deliveries/retry', { partner: 'summit' })).json).toMatchObject({
      queued: 0,
    });
  });

  it('are skipped with a reason if the endpoint is disabled', async () => {
    await fail('harbor', { hour: 1, code: 503 });
    await sql(`UPDATE buyer SET endpoint_disabled_at = $1 WHERE buyer_key = 'harbor'`, [at(2)]);
    const { json } = await post('/console/api/failed-deliveries/retry', { partner: 'harbor' });
    expect(json).toEqual({ queued: 0, skipped: [{ reason: 'endpoint_disabled', deliveries: 1 }], isMore: false });
    await sql(`UPDATE buyer SET endpoint_disabled_at = NULL`);
  });

  it('show that they were accepted later', async () => {
    const deliveryId = await fail('summit', { hour: 1, code: 503 });
    await sql(
      `INSERT INTO attempt (attempt_id, delivery_id, buyer_key, channel, target, attempt, state, response_code, is_test, at)
       VALUES ($1, $2, 'summit', 'webhook', 'https://crm.example/…', 1, 'succeeded', 200, false, $3)`,
      [newUuid(), deliveryId, at(5)],
    );
    const { json } = await get('/console/api/failed-deliveries');
    expect(json.data[0]).toMatchObject({ retryStatus: 'again' });
    expect((await post('/console/api/failed-deliveries/retry', { partner: 'summit' })).json).toMatchObject({
      queued: 0,
    });
  });
});

describe('access to failures', () => {
  it('is refused to partners and suppliers', async () => {
    const jobId = await moveToDeadLetters({ name: 'send-message' }, 1);
    const deliveryId = typeId('delivery', (await fail('summit', { hour: 1, code: 503 })) as DeliveryId);
    const buyer = await market.signedIn.buyer('summit');
    expect((await buyer.get('/console/api/jobs')).status).toBe(401);
    expect((await buyer.get('/console/api/failed-deliveries')).status).toBe(401);
    expect((await buyer.send('POST', `/console/api/jobs/${jobId}/retry`, {})).status).toBe(401);
    expect((await buyer.send('POST', `/console/api/deliveries/${deliveryId}/retry`, {})).status).toBe(401);
  });
});
