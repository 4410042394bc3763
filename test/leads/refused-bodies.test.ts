// Tests which part of the body of a rejected submission is stored, and that a person in it can be found and erased (contract 3.7, decision 021).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { purgeRawBodies } from '../../src/leads/retention.ts';
import { sampleLead, marketYaml } from '../contract/market.ts';
import { type ApiResponse, getAsSupplier, postLead } from '../support/api-client.ts';
import { ledgerFaults, select } from '../support/ledger-faults.ts';
import { handClock } from '../support/hand-clock.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import type { Json } from '../support/scope-app.ts';
import type { SignedIn } from '../support/signed-in.ts';

const KIB = 1024;
const A_DAY = 3;
const clock = handClock('2026-11-20T08:00:00.000Z');

let market: TestMarketplace;
let acme: string;
let operator: SignedIn;
let supplier: SignedIn;

beforeAll(async () => {
  market = await startTestMarketplace({ yaml: marketYaml(), role: 'api', clock, refusedBodiesADay: A_DAY });
  acme = await market.supplierKey('acme-media');
});
afterAll(() => market.close());
// A new day for each test, with a new daily limit.
beforeEach(() => nextDay());

/** Signs in again, because sessions have expired. */
async function nextDay(): Promise<void> {
  clock.advance(86_400_000);
  operator = await market.signedIn.operator();
  supplier = await market.signedIn.supplier('acme-media');
}

type Row = { leadId: string; body: string | null; bytes: number | null; externalId: string | null; erased: boolean };

/** As stored, in the order in which they came. */
const rows = (): Promise<Row[]> =>
  select<Row>(
    market.database,
    `SELECT lead_id AS "leadId", raw_body AS body, raw_body_bytes AS bytes, external_id AS "externalId", erased_at IS NOT NULL AS erased
     FROM lead ORDER BY lead_id`,
  );
const last = async (): Promise<Row> => (await rows()).at(-1) as Row;

async function postRejected(body: object, key = acme): Promise<ApiResponse> {
  const response = await postLead(market.url, key, body);
  expect([response.status, response.json.accepted]).toEqual([422, false]);
  return response;
}

const latest = async (): Promise<Json> => (await supplier.get('/portal/api/supplier/submissions')).json.data[0];

describe('The body of a rejected submission', () => {
  it('is stored as received up to 8 KiB', async () => {
    const body = { full_name: 'Ann Lee', notes: 'x'.repeat(8 * KIB - 50) };
    await postRejected(body);
    expect(await last()).toMatchObject({ body: JSON.stringify(body), bytes: null });
  });

  it('is truncated to 8 KiB, with its length for the operator and the supplier', async () => {
    const body = { external_id: 'long', full_name: 'Zoë Quinn', phone: 'none', notes: '€'.repeat(15 * KIB) };
    const text = JSON.stringify(body);
    const { json: responded } = await postRejected(body);
    const stored = await last();
    const bytes = Buffer.byteLength(text);
    expect(stored).toMatchObject({ bytes, externalId: 'long' });
    expect(text.startsWith(stored.body ?? '-')).toBe(true);
    // Characters of three bytes, none of them cut.
    expect(Buffer.byteLength(stored.body ?? '')).toBeGreaterThan(8 * KIB - 3);
    expect(Buffer.byteLength(stored.body ?? '')).toBeLessThanOrEqual(8 * KIB);

    const { leadId } = await latest();
    const { json: story } = await operator.get(`/console/api/leads/${leadId}`);
    expect([story.rawBody, story.rawBodyBytes]).toEqual([stored.body, bytes]);
    const { json: seen } = await supplier.get(`/portal/api/supplier/submissions/${leadId}`);
    expect([seen.body, seen.bodyBytes, seen.response.status]).toEqual([stored.body, bytes, 422]);
    expect(JSON.parse(seen.response.body).reason).toBe(responded.reason);
    // A truncated body cannot be parsed: the id is in a column, and the error in the response.
    expect(seen.reading.fields.map(({ field, sent, fault }: Json) => [field, sent, fault])).toEqual([
      ['external_id', null, null],
      ['phone', null, 'phone invalid'],
    ]);
  });

  it('can still be read if only white space was cut off', async () => {
    const response = await postLead(market.url, acme, `{"full_name":"Ann Lee"}${' '.repeat(20 * KIB)}`);
    expect(response.status).toBe(422);
    const { json } = await supplier.get(`/portal/api/supplier/submissions/${(await latest()).leadId}`);
    expect(json.bodyBytes).toBe(20 * KIB + 23);
    expect(json.reading.fields).toContainEqual({
      field: 'full_name',
      from: 'full_name',
      isConstant: false,
      sent: '"Ann Lee"',
      read: null,
      fault: null,
    });
  });

  it('is stored in full if the submission is accepted', async () => {
    const body = sampleLead(1, { more: Array.from({ length: 40 }, () => 'y'.repeat(490)) });
    expect((await postLead(market.url, acme, body)).status).toBe(202);
    expect(await last()).toMatchObject({ body: JSON.stringify(body), bytes: null });
  });
});

describe('A person in a rejected body', () => {
  const person = { email: 'quillon@canary-mail.example', phone: '(202) 555-0187 ext. 12 and more' };

  it.each<[string, object, string]>([
    ['the email address', { email: person.email }, person.email],
    ['the phone number', { phone: '+12025550187' }, '+12025550187'],
  ])('is found by %s and can be erased', async (_, contact, search) => {
    await postRejected({
      external_id: 'named',
      contact: person.email,
      phone: person.phone,
      notes: 'n'.repeat(20 * KIB),
    });
    const { leadId } = await latest();
    const found = await operator.get('/console/api/leads', { 'x-search': encodeURIComponent(search) });
    expect(found.json.data.map((lead: Json) => lead.leadId)).toContain(leadId);
    const searched = await operator.send('POST', '/console/api/erasure/search', contact);
    expect(searched.json.found).toContain(leadId);
    const erased = await operator.send('POST', `/console/api/erasure/leads/${leadId}`, { confirmation: 'erase' });
    expect(erased.status).toBe(200);
    const stored = await last();
    expect(stored).toMatchObject({ body: null, bytes: null, erased: true });
    expect(stored.externalId).toMatch(/^erased:/);
    const again = await operator.send('POST', '/console/api/erasure/search', contact);
    expect(again.json.found).not.toContain(leadId);
  });
});

describe('The daily limit of stored bodies', () => {
  it('counts per supplier, including tests, changes no statistics and resets on the next day', async () => {
    const before = (await rows()).length;
    const rival = await market.supplierKey('rival-media');
    const body = { external_id: 'wild', phone: 'none' };
    for (let serial = 0; serial < A_DAY - 1; serial++) await postRejected(body);
    await postRejected({ ...body, test: true });
    await postRejected(body);
    await supplier.send('POST', '/portal/api/supplier/test-leads', { lead: body });
    await postRejected(body, rival);
    // Accepted submissions do not count.
    const good = sampleLead(2);
    expect((await postLead(market.url, acme, good)).status).toBe(202);
    await nextDay();
    await postRejected(body);

    const text = JSON.stringify(body);
    expect((await rows()).slice(before).map((row) => [row.body, row.bytes])).toEqual([
      ...Array.from({ length: A_DAY - 1 }, () => [text, null]),
      [JSON.stringify({ ...body, test: true }), null],
      [null, text.length],
      [null, text.length],
      [text, null],
      [JSON.stringify(good), null],
      [text, null],
    ]);
    expect(await ledgerFaults(market.database, { atRest: false })).toEqual([]);
    const { json } = await getAsSupplier(market.url, acme, '/api/v1/supplier/stats?days=2');
    expect([json.totals.submitted, json.totals.rejected, json.byStatus.Invalid]).toEqual([
      A_DAY + 2,
      A_DAY + 1,
      A_DAY + 1,
    ]);
    const listed = (await supplier.get('/portal/api/supplier/submissions?state=invalid')).json.data as Json[];
    const without = listed.find(({ receivedAt, test: isTest }) => !isTest && receivedAt < clock.now().toISOString());
    const { json: seen } = await supplier.get(`/portal/api/supplier/submissions/${without?.['leadId'] as string}`);
    expect([seen.body, seen.bodyBytes, seen.reasons.length]).toEqual([null, text.length, 2]);
    const { json: story } = await operator.get(`/console/api/leads/${without?.['leadId'] as string}`);
    expect([story.rawBody, story.rawBodyBytes]).toEqual([null, text.length]);
  });
});

describe('Retention of rejected bodies', () => {
  it('deletes the stored part and the length after the retention period', async () => {
    await postRejected({ notes: 'x'.repeat(9 * KIB) });
    const before = await rows();
    expect(before.at(-1)).toMatchObject({ bytes: expect.any(Number) as number });
    const walk = { after: null, before: new Date(Date.now() + 86_400_000), atOnce: 1000 };
    await market.database.tx((tx) => purgeRawBodies(tx, walk));
    // The length of a body that was never stored remains.
    expect(await rows()).toEqual(before.map((row) => (row.body === null ? row : { ...row, body: null, bytes: null })));
  });
});
