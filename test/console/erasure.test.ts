// Erasure at the console: search for a person, stored data, confirmation, erasing (decision 021).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { accepted, decided, deliveryOf, PERSON, privacyYaml, rowsWith, TRACES } from '../privacy/privacy-market.ts';
import { select } from '../support/ledger-faults.ts';
import { eventually } from '../support/eventually.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import type { Json } from '../support/scope-app.ts';
import type { SignedIn } from '../support/signed-in.ts';
import { type DeliveryId, typeId } from '../../src/base/ids.ts';

const ERASURE = '/console/api/erasure';

let receiver: Receiver;
let market: TestMarketplace;
let operator: SignedIn;
let key: string;
const post = (path: string, body: object) => operator.send('POST', `${ERASURE}${path}`, body);

beforeAll(async () => {
  receiver = await startReceiver();
  market = await startTestMarketplace({ yaml: privacyYaml(receiver.origin), allowTargets: [receiver.origin] });
  operator = await market.signedIn.operator('ada');
  key = await market.supplierKey('acme-media');
});
afterAll(async () => {
  await market.close();
  await receiver.close();
});

async function sold(more: object = {}): Promise<string> {
  const leadId = await accepted(market, key, { ...PERSON, ...more });
  await decided(market, leadId, 'routed');
  await eventually(
    `${leadId} is confirmed`,
    async () => (await deliveryOf(market.database, leadId)).status === 'Confirmed',
  );
  return leadId;
}

describe('the erasure of a person', () => {
  it('finds the person by lead, delivery, email address and phone number', async () => {
    const leadId = await sold();
    const { deliveryId } = await deliveryOf(market.database, leadId);
    const found = async (body: object): Promise<string[]> => (await post('/search', body)).json.found as string[];
    expect(await found({ id: leadId })).toEqual([leadId]);
    expect(await found({ id: typeId('delivery', deliveryId as DeliveryId) })).toEqual([leadId]);
    expect(await found({ id: 'lead_01m7x31pqskym9jx5ycnqd0f3h' })).toEqual([]);
    expect(await found({ id: 'nothing' })).toEqual([]);
    expect(await found({ email: ' quillon.BRIGHTWATER@canary-mail.example ' })).toEqual([leadId]);
    for (const phone of ['+1 (202) 555-0187', '(202) 555-0187', '1.202.555.0187'])
      expect(await found({ phone })).toEqual([leadId]);
    expect(await found({ phone: '+12025550188' })).toEqual([]);
    const { json } = await post('/search', { email: PERSON.email });
    expect(json).toMatchObject({ erasedBefore: 0 });
  });

  it('searches all leads part by part', async () => {
    let body: object = { email: 'nobody@example.com' };
    for (;;) {
      const { json } = await post('/search', body);
      expect(json.found).toEqual([]);
      if (json.next === null) break;
      expect(new Date(json.lookedUntil as string).getTime()).toBeGreaterThan(0);
      body = { email: 'nobody@example.com', after: json.next as string };
    }
  });

  it.each([
    ['nothing', {}, 'id'],
    ['no address', { email: 'somebody' }, 'email'],
    ['no number', { phone: '12' }, 'phone'],
    ['a page of nothing', { phone: '+12025550187', after: 'x' }, 'after'],
    ['something unknown', { name: 'Quillon' }, 'name'],
  ])('refuses to search by %s', async (_what, body, field) => {
    const { status, json } = await post('/search', body);
    expect([status, json.code, (json.errors as Json[]).map((fault) => fault.field as string)]).toEqual([
      422,
      'validation_failed',
      [field],
    ]);
  });

  it('lists the stored data, then erases it everywhere after the confirmation', async () => {
    const contact = { email: 'second@canary-mail.example', phone: '+12025550199' };
    // The proof of consent may contain data of this lead's person only.
    const form = { consent_text: 'I agree to be called', source_form_url: 'https://forms.example.com/debt' };
    const leadId = await sold({ external_id: 'second', ...contact, ...form });
    const { deliveryId } = await deliveryOf(market.database, leadId);
    const { json } = await post('/stored', { leadIds: [leadId, 'lead_01m7x31pqskym9jx5ycnqd0f3h'] });
    expect(json.data).toEqual([
      {
        leadId,
        supplier: 'acme-media',
        supplierName: 'Acme Media',
        isTest: false,
        state: 'routed',
        receivedAt: expect.any(String),
        erasedAt: null,
        person: {
          fullName: PERSON.full_name,
          email: expect.any(String),
          phone: '+12025550199',
          fields: expect.any(Number),
        },
        hasBody: true,
        consentStoredAt: expect.any(String),
        deliveries: [
          {
            deliveryId: typeId('delivery', deliveryId as DeliveryId),
            deliveryRef: expect.stringMatching(/^LS-/),
            partner: 'summit',
            partnerName: 'Summit',
            status: 'Confirmed',
          },
        ],
        attempts: expect.any(Number),
        claims: 0,
      },
    ]);
    expect(json.data[0].attempts).toBeGreaterThan(0);
    expect(json.consentYears).toBe(5);

    for (const confirmation of [undefined, '', 'ERASE', 'yes']) {
      const refused = await post(`/leads/${leadId}`, { confirmation });
      expect([refused.status, refused.json.code]).toEqual([422, 'validation_failed']);
    }
    const erased = await post(`/leads/${leadId}`, { confirmation: 'erase', reason: ' Asked by letter. ' });
    expect(erased.json).toMatchObject({
      leadId,
      supplierName: 'Acme Media',
      erasedBefore: false,
      deliveries: [{ partnerName: 'Summit', status: 'Confirmed' }],
    });
    const { json: after } = await post('/stored', { leadIds: [leadId] });
    expect(after.data[0]).toMatchObject({
      person: null,
      hasBody: false,
      erasedAt: expect.any(String),
      consentStoredAt: expect.any(String),
    });
    const events = await select<Json>(
      market.database,
      `SELECT action, actor_name, changes, ip FROM audit_event WHERE target = ANY($1) AND action LIKE '%erased' ORDER BY audit_id`,
      [[leadId, typeId('delivery', deliveryId as DeliveryId)]],
    );
    const changes = { reason: { from: null, to: 'Asked by letter.' } };
    expect(events).toEqual([
      { action: 'lead.erased', actor_name: 'ada', changes, ip: '127.0.0.1' },
      { action: 'delivery.erased', actor_name: 'ada', changes: {}, ip: '127.0.0.1' },
    ]);
  });

  it('leaves only the proof of consent, and reports it in the next search', async () => {
    const { json } = await post('/search', { email: PERSON.email });
    expect(json.found.length).toBeGreaterThan(0);
    for (const leadId of json.found as string[]) {
      expect((await post(`/leads/${leadId}`, { confirmation: 'erase' })).status).toBe(200);
    }
    expect(await rowsWith(market.database, TRACES)).toEqual([]);
    expect((await post('/search', { email: PERSON.email })).json).toMatchObject({ found: [], erasedBefore: 1 });
  });

  it('can be repeated, and responds 404 to an unknown lead', async () => {
    const leadId = await sold({
      external_id: 'third',
      phone: '+12025550177',
      email: null,
      consent_text: null,
      source_form_url: null,
    });
    expect((await post(`/leads/${leadId}`, { confirmation: 'erase' })).json.erasedBefore).toBe(false);
    expect((await post(`/leads/${leadId}`, { confirmation: 'erase' })).json.erasedBefore).toBe(true);
    const unknown = await post('/leads/lead_01m7x31pqskym9jx5ycnqd0f3h', { confirmation: 'erase' });
    expect([unknown.status, unknown.json.code]).toEqual([404, 'not_found']);
    expect((await post('/leads/nothing', { confirmation: 'erase' })).status).toBe(404);
  });

  it('refuses partners and suppliers', async () => {
    const buyer = await market.signedIn.buyer('summit');
    for (const path of ['/search', '/stored', '/leads/lead_01m7x31pqskym9jx5ycnqd0f3h'])
      expect((await buyer.send('POST', `${ERASURE}${path}`, {})).status).toBe(401);
  });
});
