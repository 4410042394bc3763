// The console's log of messages: every attempt at a partner, its filters, one attempt in detail, and who may read its request
// (contract 7.8).
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { newUuid, typeId, type Uuid } from '../../src/base/ids.ts';
import { type MessageFilter, type MessagePage, pageMessages, sumMessages } from '../../src/deliveries/find-messages.ts';
import { sampleLead } from '../contract/market.ts';
import { postAsBuyer, postLead } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import type { Json } from '../support/scope-app.ts';
import type { SignedIn } from '../support/signed-in.ts';
import { traceOf } from '../support/trace.ts';

const TOKEN = 'crm-T0ken-value';
let receiver: Receiver;
let market: TestMarketplace;
let ada: SignedIn;
let viewer: SignedIn;
let supplierKey: string;

type Sold = { readonly leadId: string; readonly deliveryId: string; readonly deliveryRef: string };
let taken: Sold;
let failed: Sold;
let custom: Sold;
let serial = 0;

beforeAll(async () => {
  receiver = await startReceiver({
    respond: ({ body }) => ({ status: body.includes('Unlucky') ? 503 : 200, body: `{"got":${body.length}}` }),
  });
  market = await startTestMarketplace({ allowTargets: [receiver.origin], yaml: yamlFor(receiver.origin) });
  ada = await market.signedIn.operator('ada');
  viewer = await market.signedIn.operator('vi', 'read-only');
  supplierKey = await market.supplierKey('acme-media');
  await ada.send('POST', '/console/api/partners/summit/secrets', { name: 'crm_token', value: TOKEN });
  taken = await sell('Lucky Lane', 'CA', 'Confirmed');
  failed = await sell('Unlucky Umber', 'CA', 'Failed');
  custom = await sell('Custom Cole', 'NY', 'Confirmed');
  const body = { deliveryId: taken.deliveryId, reason: 'invalid_phone', proof: 'The line is dead.' };
  const token = await market.buyerToken('harbor');
  const filed = await postAsBuyer(market.url, token, '/api/v1/buyer/returns', { body });
  await ada.send('POST', `/console/api/claims/${filed.json.returnId}/approve`, {});
  await eventually('the decision was sent', async () => (await list('type=return.reviewed')).data[0] ?? null);
});
afterAll(async () => {
  await market?.close();
  await receiver?.close();
});

async function sell(fullName: string, state: string, status: string): Promise<Sold> {
  serial += 1;
  const posted = await postLead(market.url, supplierKey, sampleLead(serial, { full_name: fullName, state }));
  const leadId = posted.json.lead_id as string;
  return eventually(`${fullName} is ${status}`, async () => {
    const { deliveries } = await traceOf(market.database, leadId);
    const found = deliveries.find((one) => one.status === status);
    return found === undefined ? null : { leadId, deliveryId: found.deliveryId, deliveryRef: found.deliveryRef };
  });
}

const list = async (query: string, who = ada): Promise<Json> => (await who.get(`/console/api/messages?${query}`)).json;
const idsOf = (json: Json): string[] => json.data.map(({ attemptId }: Json) => attemptId as string);

describe('The log of messages', () => {
  it('lists the attempts at all partners, newest first', async () => {
    const { data, next, backTo } = await list('');
    expect([next, backTo]).toEqual([null, null]);
    expect(data).toMatchObject([
      { type: 'return.reviewed', partner: 'harbor', deliveryRef: taken.deliveryRef, outcome: 'taken' },
      { type: 'lead.delivered', partner: 'summit', partnerName: 'Summit', deliveryRef: custom.deliveryRef },
      { type: 'lead.delivered', partner: 'harbor', leadId: failed.leadId, attempt: 2, outcome: 'failed' },
      { type: 'lead.delivered', partner: 'harbor', leadId: failed.leadId, attempt: 1, outcome: 'retried' },
      { type: 'lead.delivered', leadId: taken.leadId, channel: 'webhook', responseCode: 200, outcome: 'taken' },
    ]);
    expect(data[2]).toMatchObject({ responseCode: 503, nextAttemptAt: null });
  });

  it.each([
    ['partner=harbor', 4],
    ['partner=nobody', 0],
    ['outcome=taken', 3],
    ['outcome=retried', 1],
    ['outcome=failed', 1],
    ['outcome=failed&partner=summit', 0],
    ['outcome=dead_letter', 0],
    ['status=5xx', 2],
    ['status=503', 2],
    ['status=504', 0],
    ['status=none', 0],
    ['status=2xx&partner=summit', 1],
    ['type=lead.delivered', 4],
    ['type=return.reviewed', 1],
    ['type=lead.test', 0],
    ['channel=webhook', 5],
    ['channel=email', 0],
    ['about=nonsense', 0],
    ['from=2020-01-01T00:00:00Z&to=2021-01-01T00:00:00Z', 0],
    ['from=2020-01-01T00:00:00Z', 5],
  ])('filters by %s', async (query, count) => {
    const { data } = await list(query);
    expect(data).toHaveLength(count);
    const succeeded = (data as Json[]).filter(({ outcome }) => outcome === 'taken').length;
    const counts = { succeeded, failed: count - succeeded };
    const sums = (await ada.get(`/console/api/messages/sums?${query}`)).json;
    expect(sums).toEqual({ rows: count, isAll: true, counts, amounts: {}, currency: 'USD' });
  });

  it('adds up no more attempts than the bounds of its sums, and says so', async () => {
    const everything = { buyerKey: null, channel: null, outcome: null, type: null, codeFrom: null, codeTo: null };
    const filter = { ...everything, about: null, from: null, to: null };
    const sums = (limit: number, scanLimit: number, more: Partial<MessageFilter> = {}) =>
      market.database.tx((tx) => sumMessages(tx, { filter: { ...filter, ...more }, limit }, scanLimit));
    expect(await sums(100, 100)).toEqual({ rows: 5, succeeded: 3, failed: 2, isAll: true });
    expect(await sums(4, 100)).toMatchObject({ rows: 4, isAll: false });
    expect(await sums(100, 2, { outcome: 'taken' })).toMatchObject({ rows: 2, isAll: false });
    expect(await sums(100, 100, { outcome: 'failed' })).toEqual({ rows: 1, succeeded: 0, failed: 1, isAll: true });
  });

  it('finds the attempts of a delivery by its id and reference, and of a lead', async () => {
    for (const about of [failed.deliveryId, failed.deliveryRef, failed.deliveryRef.toLowerCase(), failed.leadId]) {
      expect((await list(`about=${about}`)).data).toMatchObject([{ attempt: 2 }, { attempt: 1 }]);
    }
    expect((await list(`about=${failed.leadId}&outcome=retried`)).data).toHaveLength(1);
  });

  it.each([
    'status=6xx',
    'status=5',
    'outcome=lost',
    'sort=time',
    'before=nonsense',
    'from=yesterday',
    `about=${'x'.repeat(101)}`,
  ])('refuses %s', async (query) => {
    expect((await ada.get(`/console/api/messages?${query}`)).status).toBe(400);
  });

  it('is paged without gaps or repetitions, with every filter', async () => {
    const rows = Array.from({ length: 60 }, () => newUuid());
    await market.database.pool.query(
      `INSERT INTO attempt (attempt_id, buyer_key, channel, target, attempt, state, response_code, is_test, at)
       SELECT id, 'paged', 'webhook', 'https://crm.example/…', 1, 'failed', 500, true, now() FROM unnest($1::uuid[]) AS id`,
      [rows],
    );
    const all = async (query: string): Promise<string[]> => {
      const seen: string[] = [];
      for (let before = ''; ;) {
        const json = await list(`${query}${before}`);
        seen.push(...idsOf(json));
        if (json.next === null) return seen;
        before = `&before=${json.next as string}`;
      }
    };
    const from = 'from=2020-01-01T00:00:00Z';
    for (const query of ['', 'partner=paged', 'outcome=failed&partner=paged', 'type=lead.test', from]) {
      const seen = await all(query);
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen).toEqual(seen.toSorted().toReversed());
      for (const row of rows) expect(seen).toContain(typeId('attempt', row));
      expect(await all(`${query}&sort=-at`)).toEqual(seen);
      expect(await all(`${query}&sort=at`)).toEqual(seen.toReversed());
      const file = await ada.get(`/console/api/exports/messages?query=${encodeURIComponent(`${query}&sort=at`)}`);
      const lines: ReadonlyArray<Record<string, string>> = parse(file.text, { columns: true });
      expect(lines.map((line) => line['attempt_id'])).toEqual(seen.toReversed());
    }
    // A page that ends its scan before it is full continues where it stopped.
    const everything = { buyerKey: null, channel: null, outcome: null, codeFrom: null, codeTo: null };
    const filter = { ...everything, type: 'return.reviewed', about: null, from: null, to: null };
    const found: string[] = [];
    for (let seen: Uuid | null = null, pages = 0; pages === 0 || seen !== null; pages += 1) {
      const query = { filter, seen, isOldestFirst: true, limit: 50 };
      const page: MessagePage = await market.database.tx((tx) => pageMessages(tx, query, 3));
      found.push(...page.rows.map(({ attemptId }) => typeId('attempt', attemptId)));
      seen = page.next;
    }
    expect(found).toEqual(await all('type=return.reviewed'));
    expect(found).not.toEqual([]);
    await market.database.pool.query(`DELETE FROM attempt WHERE buyer_key = 'paged'`);
  });
});

describe('One message', () => {
  const attemptOf = async (about: string): Promise<string> => idsOf(await list(`about=${about}`))[0] ?? '';
  const read = async (attemptId: string, who = ada) => who.get(`/console/api/messages/${attemptId}`);
  const requestOf = async (attemptId: string, who = ada) => who.get(`/console/api/messages/${attemptId}/request`);

  it('has the response, and says whether its delivery can be sent again', async () => {
    expect((await read(await attemptOf(failed.deliveryId))).json).toMatchObject({
      ...{ outcome: 'failed', responseCode: 503, deliveryStatus: 'Failed', refusal: null, attempt: 2 },
      responseSnippet: expect.stringMatching(/^\{"got":\d+\}$/) as string,
    });
  });

  it.each([
    ['of a confirmed delivery', () => taken],
    ['of a failed one, whose person the partner may not see', () => failed],
  ])('shows the exact body %s', async (_says, sold) => {
    const { leadId, deliveryId } = sold();
    const attempts = idsOf(await list(`about=${deliveryId}&type=lead.delivered`));
    const { json } = await requestOf(attempts[0] ?? '');
    const sent = receiver.requests.find(({ headers }) => headers['webhook-id'] === deliveryId);
    expect(json).toMatchObject({ leadId, isStandard: true, why: null });
    expect(json.request).toMatchObject({ method: 'POST', url: `${receiver.origin}/harbor`, body: sent?.body });
    expect(json.request.headers).toMatchObject({ 'webhook-id': deliveryId, 'webhook-signature': '••••' });
  });

  it('shows a request in the partner’s own format without its secrets', async () => {
    const { json, text } = await requestOf(await attemptOf(custom.leadId));
    expect(json).toMatchObject({ isStandard: false, request: { body: '{"name":"Custom Cole"}' } });
    expect(json.request.headers).toMatchObject({ authorization: 'Bearer ••••' });
    expect(text).not.toContain(TOKEN);
  });

  it('has no body for a decision on a claim', async () => {
    const [attemptId = ''] = idsOf(await list('type=return.reviewed'));
    expect((await requestOf(attemptId)).json).toMatchObject({ request: null, why: 'not_a_lead' });
  });

  it('masks what may be personal, and hides the request, from roles without the right', async () => {
    const attemptId = await attemptOf(failed.deliveryId);
    expect((await requestOf(attemptId, viewer)).status).toBe(403);
    expect((await read(attemptId, viewer)).json.responseSnippet).toBe('•••');
  });

  it('is a recorded read of its lead', async () => {
    const bea = await market.signedIn.operator('bea');
    await requestOf(await attemptOf(taken.leadId), bea);
    const { rows } = await market.database.pool.query(
      `SELECT target FROM audit_event WHERE action = 'person.viewed' AND actor_name = 'bea'`,
    );
    expect(rows).toContainEqual({ target: taken.leadId });
  });

  it('is not found by a wrong id', async () => {
    for (const id of ['nonsense', taken.deliveryId, typeId('attempt', newUuid())]) {
      expect([(await read(id)).status, (await requestOf(id)).status]).toEqual([404, 404]);
    }
  });

  it('shows nothing of a lead that was erased', async () => {
    const attemptId = await attemptOf(custom.leadId);
    const erased = await ada.send('POST', `/console/api/erasure/leads/${custom.leadId}`, { confirmation: 'erase' });
    expect(erased.status).toBe(200);
    const { json, text } = await requestOf(attemptId);
    expect(json).toMatchObject({ request: null, why: 'erased' });
    expect(text).not.toContain('Custom Cole');
    expect((await read(attemptId)).json.responseSnippet).toBeNull();
  });
});

describe('Access to the log', () => {
  it('is refused to partners and suppliers', async () => {
    for (const who of [await market.signedIn.buyer('harbor'), await market.signedIn.supplier('acme-media')]) {
      expect((await who.get('/console/api/messages')).status).toBe(401);
    }
  });
});

const yamlFor = (origin: string): string => `
marketplace: { currency: USD, retrySeconds: [0, 0], breaker: { failures: 1000 } }
suppliers:
  - { key: acme-media, name: Acme Media, status: approved }
partners:
  - key: harbor
    name: Harbor
    channels: [webhook]
    settings: { webhookUrl: "${origin}/harbor" }
    offers: [{ key: west, eventType: Lead Sale, payout: 30.00, filters: { states: [CA] } }]
  - key: summit
    name: Summit
    channels: [webhook]
    settings: { webhookUrl: "${origin}/summit" }
    webhook:
      format: custom
      headers: { Authorization: "Bearer {{ secret.crm_token }}" }
      body: { type: json, template: '{ "name": "{{ lead.fullName }}" }' }
    offers: [{ key: east, eventType: Lead Sale, payout: 45.00, filters: { states: [NY] } }]
`;
