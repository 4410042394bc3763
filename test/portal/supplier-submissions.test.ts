// A supplier's own submissions: the latest, found again by id, and one with what came in and what became of it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { uuidOf } from '../../src/base/ids.ts';
import { logStateChanges, purgeCallbacks } from '../../src/messages/callback-log.ts';
import { select } from '../support/ledger-faults.ts';
import { eventually } from '../support/eventually.ts';
import { leadBody } from '../support/leads.ts';
import type { Json } from '../support/scope-app.ts';
import type { SignedIn } from '../support/signed-in.ts';
import { startSupplierMarket, type SupplierMarket } from './supplier-market.ts';

let market: SupplierMarket;
let acme: SignedIn;
let brightform: SignedIn;
let sold: Json;
let unsold: Json;

beforeAll(async () => {
  market = await startSupplierMarket();
  acme = await market.market.signedIn.supplier('acme-media');
  brightform = await market.market.signedIn.supplier('brightform');
  sold = await market.post('acme-media', leadBody(1));
  unsold = await market.post('acme-media', leadBody(2, { state: 'NY', consent_timestamp: null }));
  await market.post('acme-media', { external_id: 'bad', phone: 'none' });
  await market.post('acme-media', { external_id: 'bad', full_name: 'Ann Lee', phone: 'none', email: 'a@b.example' });
  await market.post('acme-media', leadBody(3, { external_id: 'lead-1', test: true }));
  await market.post('acme-media', leadBody(1, { external_id: 'again' }));
  await market.decided();
});
afterAll(() => market.close());

const list = async (query = '', who = acme): Promise<Json> =>
  (await who.get(`/portal/api/supplier/submissions${query}`)).json;
const one = async (leadId: string, who = acme): Promise<Json> =>
  (await who.get(`/portal/api/supplier/submissions/${leadId}`)).json;
const search = async (text: string, who = acme): Promise<Json> =>
  (await who.get('/portal/api/supplier/submissions', { 'x-search': text })).json;
const names = ({ data }: Json): string[] => data.map((row: Json) => row.externalId);

describe('The list of submissions', () => {
  test('has all of them, newest first, also those that were refused and tests', async () => {
    const { data, next, lookedUntil } = await list();
    expect(data.map((row: Json) => [row.externalId, row.status, row.test])).toEqual([
      ['again', 'Duplicate', false],
      ['lead-1', 'Lead Sale', true],
      ['bad', 'Invalid', false],
      ['bad', 'Invalid', false],
      ['lead-2', 'No Buyer', false],
      ['lead-1', 'Lead Sale', false],
    ]);
    expect([next, lookedUntil]).toEqual([null, null]);
    expect(data[0].reasons).toMatchObject([{ reason: 'duplicate', remedy: expect.any(String) as string }]);
    expect(data[3]).toMatchObject({
      score: null,
      reasons: [{ reason: 'name required' }, { reason: 'phone invalid' }],
    });
    expect(data[5]).toMatchObject({ leadId: sold.lead_id, score: sold.score, reasons: [], statusMeaning: 'Sold.' });
  });

  test('comes in pages that meet without a gap', async () => {
    const seen: string[] = [];
    let next: string | null = null;
    do {
      const page: Json = await list(`?limit=2${next === null ? '' : `&before=${next}`}`);
      expect(page.data.length).toBeLessThanOrEqual(2);
      seen.push(...page.data.map((row: Json) => row.leadId));
      next = page.next;
    } while (next !== null);
    expect(seen).toEqual((await list()).data.map((row: Json) => row.leadId));
  });

  test.each([
    ['routed', ['lead-1']],
    ['rejected', ['again', 'bad', 'bad', 'lead-2']],
    ['duplicate', ['again']],
    ['no_buyer', ['lead-2']],
    ['invalid', ['bad', 'bad']],
    ['test', ['lead-1']],
    ['pending', []],
  ])('filtered by %s has what the totals count', async (state, externalIds) => {
    expect(names(await list(`?state=${state}`))).toEqual(externalIds);
  });

  test('is found by one fault among several', async () => {
    expect(names(await list('?state=invalid&reason=phone%20invalid'))).toHaveLength(2);
    expect(names(await list('?state=invalid&reason=name%20required'))).toHaveLength(1);
    expect(names(await list('?reason=duplicate'))).toEqual(['again']);
    expect(names(await list('?state=invalid&reason=email%20invalid'))).toEqual([]);
  });

  test('is searched by the supplier’s own id or ours', async () => {
    expect(names(await search('bad'))).toEqual(['bad', 'bad']);
    expect((await search('%20lead-1%20')).data.map((row: Json) => row.test)).toEqual([true, false]);
    expect((await search(sold.lead_id)).data).toMatchObject([{ externalId: 'lead-1', test: false }]);
    for (const nothing of ['lead-', '%25', `${sold.lead_id}x`])
      expect([nothing, (await search(nothing)).data]).toEqual([nothing, []]);
    expect(await search('%00')).toMatchObject({ status: 400, code: 'invalid_query' });
  });

  test('looks through thousands for what is rare, and says how far it came', async () => {
    const { database } = market.market;
    await select(
      database,
      `INSERT INTO lead (lead_id, supplier_key, is_test, is_accepted, state, public_status, received_at, score, content_hash)
       SELECT ('ffffff00-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'brightform', false, true, 'routed', 'Lead Sale',
              timestamptz '2026-01-01' + n * interval '1 second', 50, decode(repeat('00', 32), 'hex')
       FROM generate_series(1, 12000) AS n`,
    );
    const pages: Json[] = [];
    let next: string | null = null;
    do {
      const page: Json = await list(`?state=no_buyer${next === null ? '' : `&before=${next}`}`, brightform);
      pages.push(page);
      next = page.next;
    } while (next !== null);
    expect(pages.map(({ data, lookedUntil }) => [data.length, lookedUntil])).toEqual([
      [0, '2026-01-01T01:56:41.000Z'],
      [0, '2026-01-01T00:33:21.000Z'],
      [0, null],
    ]);
    const page = await list('?state=routed&limit=100', brightform);
    expect([page.data.length, page.lookedUntil]).toEqual([100, null]);
  });

  test.each(['state=sold', 'limit=0', 'limit=101', 'before=x', 'reason='])('refuses %s', async (query) => {
    const { status, json } = await acme.get(`/portal/api/supplier/submissions?${query}`);
    expect([status, json.code]).toEqual([400, 'invalid_query']);
  });
});

describe('One submission', () => {
  test('that was sold: what came in, how it was read, what was answered, and what was told', async () => {
    await eventually(
      'the callback is there',
      async () => (await one(sold.lead_id)).callbacks[0]?.state === 'delivered',
    );
    const seen = await one(sold.lead_id);
    expect(seen).toMatchObject({
      leadId: sold.lead_id,
      externalId: 'lead-1',
      status: 'Lead Sale',
      score: sold.score,
      isMapped: false,
      erasedAt: null,
      lacking: [],
      callbackEvents: ['lead.routed', 'lead.rejected'],
    });
    expect(JSON.parse(seen.body)).toEqual(leadBody(1));
    expect(seen.response.status).toBe(202);
    expect(JSON.parse(seen.response.body)).toEqual({ accepted: true, lead_id: sold.lead_id, score: sold.score });
    expect(seen.reading.fields).toContainEqual({
      field: 'debt_amount',
      from: 'debt_amount',
      isConstant: false,
      sent: '"24500.00"',
      read: '24500.00',
      fault: null,
    });
    expect(seen.callbacks).toMatchObject([
      { type: 'lead.routed', state: 'delivered', attempts: 1, responseCode: 204, error: null },
    ]);
    // Among those of other leads, which may come first.
    const ids = market.receiver.requests.map(({ headers }) => headers['webhook-id']);
    expect(ids).toContain(seen.callbacks[0].callbackId);
  });

  test('never says who bought it, for how much, by which offer, or why a buyer did not', async () => {
    for (const leadId of [sold.lead_id, unsold.lead_id]) {
      const { text } = await acme.get(`/portal/api/supplier/submissions/${leadId}`);
      expect(text).not.toMatch(/summit|payout|offer|partner|state_not_wanted|"?45(\.00)?"?[,}]/i);
    }
  });

  test('that found no buyer: what it did not have', async () => {
    const seen = await one(unsold.lead_id);
    expect(seen).toMatchObject({
      status: 'No Buyer',
      lacking: ['consent_timestamp'],
      reasons: [{ reason: 'no_buyer' }],
    });
  });

  test('that was refused: which field each fault is about', async () => {
    const [latest] = (await list('?state=invalid')).data;
    const seen = await one(latest.leadId);
    expect(seen.response).toEqual({ status: 422, body: '{"accepted":false,"reason":"phone invalid"}' });
    expect(seen.reading.fields.filter(({ fault }: Json) => fault !== null)).toEqual([
      { field: 'phone', from: 'phone', isConstant: false, sent: '"none"', read: null, fault: 'phone invalid' },
    ]);
    expect(seen.callbacks).toEqual([]);
  });

  test('in the supplier’s own names: from which of them each field came', async () => {
    const { lead_id: leadId } = await market.post('brightform', {
      id: 'B-1',
      contact: { name: 'Ann Lee', mail: 'ann.lee@example.com', pet: 'cat' },
      Mobile: '(555) 555-0123',
      amountOwed: '$12,500',
      notes: 'call late',
    });
    const seen = await one(leadId, brightform);
    expect(seen.isMapped).toBe(true);
    const read = Object.fromEntries(
      seen.reading.fields.map(({ field, from, isConstant, sent, read: value }: Json) => [
        field,
        [isConstant ? '$set' : from, sent, value],
      ]),
    );
    expect(read).toEqual({
      external_id: ['id', '"B-1"', 'B-1'],
      full_name: ['contact.name', '"Ann Lee"', 'Ann Lee'],
      email: ['contact.mail', '"ann.lee@example.com"', 'ann.lee@example.com'],
      phone: ['Mobile', '"(555) 555-0123"', '+15555550123'],
      debt_amount: ['amountOwed', '"$12,500"', '12500.00'],
      source: ['$set', '"brightform"', 'brightform'],
      tcpa_consent: [null, null, 'false'],
      utm_source: [null, null, 'brightform'],
    });
    expect(seen.reading.extra).toEqual(['contact', 'notes']);
  });

  test('of which the body is not kept any more still says what was read', async () => {
    const { lead_id: leadId } = await market.post('acme-media', leadBody(20));
    await select(market.market.database, `UPDATE lead SET raw_body = NULL WHERE external_id = 'lead-20'`);
    const seen = await one(leadId);
    expect(seen.body).toBeNull();
    expect(seen.reading.fields).toContainEqual({
      field: 'state',
      from: null,
      isConstant: false,
      sent: null,
      read: 'CA',
      fault: null,
    });
  });

  test('of somebody else reads like one that does not exist', async () => {
    const foreign = await brightform.get(`/portal/api/supplier/submissions/${sold.lead_id}`);
    const random = await brightform.get('/portal/api/supplier/submissions/lead_01m7xnp2vpe9rtj82p033hep4t');
    const nonsense = await brightform.get('/portal/api/supplier/submissions/1');
    for (const { status, json } of [foreign, random, nonsense]) {
      expect(status).toBe(404);
      expect({ ...json, requestId: '' }).toEqual({ ...random.json, requestId: '' });
    }
    expect((await search(sold.lead_id, brightform)).data).toEqual([]);
    expect((await search('again', brightform)).data).toEqual([]);
  });
});

describe('What was told about a submission', () => {
  test('is kept when the callback fails for good, waits for the operator, and is forgotten after its time', async () => {
    const { database } = market.market;
    const messageId = uuidOf('event', (await one(sold.lead_id)).callbacks[0].callbackId) ?? '';
    const message = { messageId, ownerKind: 'supplier', data: JSON.stringify({ lead_id: sold.lead_id }) } as const;
    await database.tx((tx) => logStateChanges(tx, [message], { state: 'failed', error: 'HTTP 500' }));
    expect((await one(sold.lead_id)).callbacks).toMatchObject([{ state: 'failed', error: 'HTTP 500' }]);
    await database.tx((tx) => logStateChanges(tx, [message], { state: 'waiting', error: null }));
    expect((await one(sold.lead_id)).callbacks).toMatchObject([{ state: 'waiting', error: 'HTTP 500' }]);
    expect(await database.tx((tx) => purgeCallbacks(tx, new Date(0), 100))).toBe(0);
    const late = new Date(Date.now() + 86_400_000);
    expect(await database.tx((tx) => purgeCallbacks(tx, late, 100))).toBeGreaterThan(0);
    expect((await one(sold.lead_id)).callbacks).toEqual([]);
  });
});
