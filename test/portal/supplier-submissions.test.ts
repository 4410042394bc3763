// A supplier's own submissions: list, search by id, and details of one.
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { uuidOf } from '../../src/base/ids.ts';
import { logStateChanges, purgeCallbacks } from '../../src/messages/callback-log.ts';
import { sampleLead } from '../contract/market.ts';
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

describe('the list of submissions', () => {
  it('has all submissions, newest first, including rejected ones and tests', async () => {
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

  it.each(['', '&state=rejected', '&state=invalid', '&state=test', '&reason=phone%20invalid'])(
    'is paged without gaps, newest or oldest first, also in its file (%s)',
    async (filters) => {
      const onPages = async (query: string): Promise<string[]> => {
        const seen: string[] = [];
        let next: string | null = null;
        do {
          const page: Json = await list(`?limit=2${query}${next === null ? '' : `&before=${next}`}`);
          expect(page.data.length).toBeLessThanOrEqual(2);
          seen.push(...page.data.map((row: Json) => row.leadId));
          next = page.next;
        } while (next !== null);
        return seen;
      };
      const newest: string[] = (await list(`?${filters}`)).data.map((row: Json) => row.leadId);
      expect(newest).toEqual(newest.toSorted().toReversed());
      expect(await onPages(filters)).toEqual(newest);
      expect(await onPages(`${filters}&sort=-received`)).toEqual(newest);
      expect(await onPages(`${filters}&sort=received`)).toEqual(newest.toReversed());
      const query = encodeURIComponent(`limit=2${filters}&sort=received`);
      const file = await acme.get(`/portal/api/supplier/exports/submissions?query=${query}`);
      const lines: ReadonlyArray<Record<string, string>> = parse(file.text, { columns: true });
      expect(lines.map((line) => line['lead_id'])).toEqual(newest.toReversed());
    },
  );

  it.each([
    ['routed', ['lead-1']],
    ['rejected', ['again', 'bad', 'bad', 'lead-2']],
    ['duplicate', ['again']],
    ['no_buyer', ['lead-2']],
    ['invalid', ['bad', 'bad']],
    ['test', ['lead-1']],
    ['pending', []],
  ])('filtered by %s agrees with the totals', async (state, externalIds) => {
    expect(names(await list(`?state=${state}`))).toEqual(externalIds);
  });

  it('is filtered by one fault among several', async () => {
    expect(names(await list('?state=invalid&reason=phone%20invalid'))).toHaveLength(2);
    expect(names(await list('?state=invalid&reason=name%20required'))).toHaveLength(1);
    expect(names(await list('?reason=duplicate'))).toEqual(['again']);
    expect(names(await list('?state=invalid&reason=email%20invalid'))).toEqual([]);
  });

  it.each(['', '?state=routed', '?state=rejected', '?state=invalid', '?state=test', '?reason=phone%20invalid'])(
    'has sums that agree with the rows under “%s”',
    async (query) => {
      const { data } = await list(query);
      const isSale = ({ status, test }: Json): boolean => !test && status === 'Lead Sale';
      const sales = data.filter(isSale).length;
      const expected = { rows: data.length, isAll: true, counts: { sold: sales }, amounts: {}, currency: 'USD' };
      expect(await list(`/sums${query}`)).toEqual(expected);
    },
  );

  it('has the sums of a search, among the supplier’s own submissions only', async () => {
    const sums = async (text: string, who: SignedIn): Promise<Json> =>
      (await who.get('/portal/api/supplier/submissions/sums', { 'x-search': text })).json;
    expect(await sums('bad', acme)).toMatchObject({ rows: 2, isAll: true, counts: { sold: 0 } });
    expect(await sums('lead-1', acme)).toMatchObject({ rows: 2, counts: { sold: 1 } });
    expect(await sums('bad', brightform)).toMatchObject({ rows: 0, counts: { sold: 0 } });
  });

  it('is searched by the supplier’s id or ours', async () => {
    expect(names(await search('bad'))).toEqual(['bad', 'bad']);
    expect((await search('%20lead-1%20')).data.map((row: Json) => row.test)).toEqual([true, false]);
    expect((await search(sold.lead_id)).data).toMatchObject([{ externalId: 'lead-1', test: false }]);
    for (const nothing of ['lead-', '%25', `${sold.lead_id}x`])
      expect([nothing, (await search(nothing)).data]).toEqual([nothing, []]);
    expect(await search('%00')).toMatchObject({ status: 400, code: 'invalid_query' });
  });

  it('is searched by phone and email in any spelling, among the supplier’s own leads only', async () => {
    for (const text of ['(555) 200-0001', '+15552000001', 'Jordan.Rivera.1@example.com'])
      expect([text, names(await search(encodeURIComponent(text)))]).toEqual([text, ['again', 'lead-1']]);
    expect(names(await search('0002'))).toEqual(['lead-2']);
    expect(names(await search('a%40b.example'))).toEqual(['bad']);
    expect(names(await search('555'))).toEqual([]);
    expect((await search('%2B15552000001', brightform)).data).toEqual([]);
  });

  it('is searched by words of the name, in any order and spelling, whether accepted or rejected', async () => {
    await market.post('acme-media', { ...sampleLead(77), external_id: 'josé', full_name: 'José O’Brien-Muñoz' });
    for (const text of ['jose', 'JOSÉ', 'munoz jos', 'obrien', "O'Brien José"])
      expect([text, names(await search(encodeURIComponent(text)))]).toEqual([text, ['josé']]);
    expect(names(await search('ann%20l'))).toEqual(['bad']);
    expect(names(await search('jose%20lee'))).toEqual([]);
    expect((await search('jose', brightform)).data).toEqual([]);
  });

  it('scans thousands of leads in parts, and reports how far it searched', async () => {
    const { database } = market.market;
    await select(
      database,
      `INSERT INTO lead (lead_id, supplier_key, is_test, is_accepted, state, public_status, received_at, score, content_hash)
       SELECT ('ffffff00-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'brightform', false, true, 'routed', 'Lead Sale',
              timestamptz '2026-01-01' + n * interval '1 second', 50, decode(repeat('00', 32), 'hex')
       FROM generate_series(1, 12000) AS n`,
    );
    const pages = async (query: string): Promise<unknown[]> => {
      const found: unknown[] = [];
      let next: string | null = null;
      do {
        const page: Json = await list(`?${query}${next === null ? '' : `&before=${next}`}`, brightform);
        found.push([page.data.length, page.lookedUntil]);
        next = page.next;
      } while (next !== null);
      return found;
    };
    expect(await pages('state=no_buyer')).toEqual([
      [0, '2026-01-01T01:56:41.000Z'],
      [0, '2026-01-01T00:33:21.000Z'],
      [0, null],
    ]);
    expect(await pages('state=no_buyer&sort=received')).toEqual([
      [0, '2026-01-01T01:23:20.000Z'],
      [0, '2026-01-01T02:46:40.000Z'],
      [0, null],
    ]);
    const page = await list('?state=routed&limit=100', brightform);
    expect([page.data.length, page.lookedUntil]).toEqual([100, null]);
  });

  it.each(['state=sold', 'sort=score', 'limit=0', 'limit=101', 'before=x', 'reason='])(
    'refuses the query %s',
    async (query) => {
      const { status, json } = await acme.get(`/portal/api/supplier/submissions?${query}`);
      expect([status, json.code]).toEqual([400, 'invalid_query']);
    },
  );
});

describe('a submission', () => {
  it('that was sold has body, fields, response and callbacks', async () => {
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
    // Among callbacks of other leads, which may come first.
    const ids = market.receiver.requests.map(({ headers }) => headers['webhook-id']);
    expect(ids).toContain(seen.callbacks[0].callbackId);
  });

  it('never shows buyer, price or offer', async () => {
    for (const leadId of [sold.lead_id, unsold.lead_id]) {
      const { text } = await acme.get(`/portal/api/supplier/submissions/${leadId}`);
      expect(text).not.toMatch(/summit|payout|offer|partner|state_not_wanted|"?45(\.00)?"?[,}]/i);
    }
  });

  it('without a buyer shows the fields that it lacks', async () => {
    const seen = await one(unsold.lead_id);
    expect(seen).toMatchObject({
      status: 'No Buyer',
      lacking: ['consent_timestamp'],
      reasons: [{ reason: 'no_buyer' }],
    });
  });

  it('that was rejected shows the field of each fault', async () => {
    const [latest] = (await list('?state=invalid')).data;
    const seen = await one(latest.leadId);
    expect(seen.response).toEqual({ status: 422, body: '{"accepted":false,"reason":"phone invalid"}' });
    expect(seen.reading.fields.filter(({ fault }: Json) => fault !== null)).toEqual([
      { field: 'phone', from: 'phone', isConstant: false, sent: '"none"', read: null, fault: 'phone invalid' },
    ]);
    expect(seen.callbacks).toEqual([]);
  });

  it('shows the source of each field under the supplier’s own names', async () => {
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

  it('without a stored body still shows the fields read', async () => {
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

  it('of another supplier responds like an unknown id', async () => {
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

describe('the callbacks of a submission', () => {
  it('remain listed after a permanent failure until retention deletes them', async () => {
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
