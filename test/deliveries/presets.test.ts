// Each preset of examples/deliveries through the whole service: a lead is posted, the request arrives as the partner's system documents it, a local
// receiver responds as that system does, and the response decides where the lead stays (contract 13.6).
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { commandLineActor, noOrigin } from '../../src/audit/audit-event.ts';
import { setPartnerSecret } from '../../src/credentials/partner-secrets.ts';
import { eventually } from '../support/eventually.ts';
import { testSecretKeys } from '../support/marketplace.ts';
import type { ReceivedRequest, Receiver, Reply } from '../support/receiver.ts';
import { openSharedMarket, ownKeys, type SharedMarket } from '../support/shared-market.ts';

const FOLDER = fileURLToPath(new URL('../../examples/deliveries/', import.meta.url));
const PARTNER_OF_PRESETS = 'your-partner';

/** What the system at the other end does with a request. */
type System = (request: ReceivedRequest) => Reply;

const json = (status: number, body: object): Reply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const CONTACT = {
  full_name: 'Jordan Ann Rivera',
  phone: '+1 (555) 555-0123',
  state: 'CA',
  debt_amount: '24500.50',
  lead_ip: '203.0.113.24',
  consent_timestamp: '2026-11-20T17:03:11Z',
  source_form_url: 'https://forms.example.com/debt?utm_source=search',
};

/** Email addresses that say what a receiver does with the lead. */
const ACCEPTED = 'jordan.rivera@example.com';
const REJECTED = 'rejected@example.com';
const DUPLICATE = 'duplicate@example.com';
const BROKEN = 'broken@example.com';

let market: SharedMarket;
let receiver: Receiver;
/** Of the test that runs: the partner of the preset, which pays most, and one that takes what it rejects. */
let keys: Readonly<Record<'preset' | 'second', string>>;

beforeAll(async () => {
  market = await openSharedMarket();
});
afterAll(() => market?.close());

async function start(preset: string, system: System, secrets: Readonly<Record<string, string>> = {}): Promise<void> {
  receiver = await market.receive(system);
  keys = ownKeys('preset', 'second');
  const text = readFileSync(`${FOLDER}${preset}.yaml`, 'utf8');
  const url = /webhookUrl: '?(?<url>[^\s'}]+)'? \}/.exec(text)?.groups?.['url'] ?? '';
  const { pathname, search } = new URL(url);
  // The same person comes in each test.
  const yaml = `marketplace: { retrySeconds: [0, 0, 0, 0, 0, 0], dedupDays: 0 }
suppliers: [{ key: acme, name: Acme Media, status: approved }]
${text.replaceAll(PARTNER_OF_PRESETS, keys.preset).replace(url, `${receiver.origin}${pathname}${search}`)}
    offers: [{ key: ${keys.preset}, name: First, eventType: Lead Sale, payout: 45.00 }]
  - key: ${keys.second}
    name: Second
    channels: []
    offers: [{ key: ${keys.second}, name: Second, eventType: Lead Sale, payout: 30.00 }]
`;
  await market.apply(yaml, { prune: true });
  for (const [name, value] of Object.entries(secrets)) {
    const change = { buyerKey: keys.preset, name, value, actor: commandLineActor, origin: noOrigin };
    await market.database.tx((tx) => setPartnerSecret(tx, change, { keys: testSecretKeys, now: new Date() }));
  }
}

type Sale = { readonly partner: string; readonly status: string; readonly error: string | null };

/** Posts a lead and waits until one delivery of it is confirmed; all of its deliveries in their order. */
async function sell(email: string | null, more: object = {}): Promise<Sale[]> {
  serial += 1;
  const lead = { ...CONTACT, phone: `+1 (555) 555-${serial}`, ...(email === null ? {} : { email }), ...more };
  const { status, json: answer } = await market.supplier.post(lead);
  expect(status).toBe(202);
  return eventually(`the lead of ${email ?? 'nobody'} is confirmed somewhere`, async () => {
    const { deliveries, attempts } = await market.trace(answer.lead_id);
    const sales = deliveries.map(({ deliveryId, partner, status: state }) => ({
      partner,
      status: state,
      error: attempts.findLast((attempt) => attempt.deliveryId === deliveryId)?.error ?? null,
    }));
    if (sales.some((sale) => sale.status === 'Confirmed')) return sales;
    market.runtime.wake();
    return null;
  });
}

let serial = 1000;

const first = () => ({ partner: keys.preset, status: 'Confirmed', error: null });
const second = () => ({ partner: keys.second, status: 'Confirmed', error: null });
const failed = (reason: string) => ({
  partner: keys.preset,
  status: 'Failed',
  error: expect.stringContaining(reason) as unknown as string,
});

const lastRequest = (): ReceivedRequest => {
  const request = receiver.requests.at(-1);
  if (request === undefined) throw new Error('nothing came');
  return request;
};
const formOf = ({ body }: ReceivedRequest): Record<string, string> => Object.fromEntries(new URLSearchParams(body));

describe('The folder of presets', () => {
  it('has no preset without a story', () => {
    const names = readdirSync(FOLDER).map((name) => name.replace('.yaml', ''));
    expect(names.toSorted()).toEqual([
      'generic-form',
      'generic-json',
      'hubspot-form',
      'leadconduit-style',
      'salesforce-web-to-lead',
      'zapier-or-make-hook',
    ]);
  });
});

describe('The preset of a JSON API with a token', () => {
  const system: System = ({ body, headers }) => {
    if (headers['authorization'] !== 'Bearer token-1234') return json(401, { message: 'Unknown token.' });
    const { email } = JSON.parse(body) as { email: string };
    if (email === REJECTED) return json(422, { status: 'rejected', message: 'Outside of our area.' });
    if (email === DUPLICATE) return json(409, { message: 'We have this person.' });
    if (email === BROKEN && receiver.requests.length === 1) return { status: 503 };
    return json(201, { status: 'accepted', id: 'L-1001' });
  };

  it('sends the token and the lead as JSON with its types, and reads acceptance, rejection and duplicate', async () => {
    await start('generic-json', system, { api_token: 'token-1234' });
    expect(await sell(ACCEPTED)).toEqual([first()]);
    const { method, path, headers, body } = lastRequest();
    expect([method, path, headers['content-type'], headers['authorization']]).toEqual([
      'POST',
      '/leads',
      'application/json',
      'Bearer token-1234',
    ]);
    expect(headers['idempotency-key']).toMatch(/^dlv_/);
    expect(JSON.parse(body)).toEqual({
      reference: expect.stringMatching(/^LS-\d{6}$/) as string,
      firstName: 'Jordan',
      lastName: 'Ann Rivera',
      email: ACCEPTED,
      phone: expect.stringMatching(/^\+1555555\d{4}$/) as string,
      state: 'CA',
      debtAmount: 24_500.5,
      consentAt: '2026-11-20T17:03:11.000Z',
      isTest: false,
    });
    const apart = { full_name: undefined, first_name: 'Mary Ann', last_name: 'Lopez Garcia' };
    await sell(ACCEPTED, apart);
    expect(JSON.parse(lastRequest().body)).toMatchObject({ firstName: 'Mary Ann', lastName: 'Lopez Garcia' });
    await sell(ACCEPTED, { full_name: 'Cher' });
    expect(JSON.parse(lastRequest().body)).toMatchObject({ firstName: 'Cher', lastName: 'Unknown' });
    expect(await sell(REJECTED)).toEqual([failed('Outside of our area.'), second()]);
    expect(await sell(DUPLICATE)).toEqual([failed('We have this person.'), second()]);
  });

  it('sends a lead again after an error of the system', async () => {
    await start('generic-json', system, { api_token: 'token-1234' });
    expect(await sell(BROKEN)).toEqual([first()]);
    expect(receiver.requests).toHaveLength(2);
  });

  it('never sends a request without its secret', async () => {
    await start('generic-json', system);
    expect(await sell(ACCEPTED)).toEqual([failed('api_token'), second()]);
    expect(receiver.requests).toEqual([]);
  });
});

describe('The preset of a form with a text response', () => {
  const system: System = (request) => {
    const { email, campaign_key: key } = formOf(request);
    if (key !== 'campaign & key') return { status: 200, body: 'ERROR: unknown campaign' };
    if (email === REJECTED) return { status: 200, body: 'REJECTED: no debt amount\n' };
    if (email === DUPLICATE) return { status: 200, body: 'duplicate' };
    if (email === BROKEN && receiver.requests.length === 1) return { status: 200, body: 'ERROR: try later' };
    return { status: 200, body: 'OK 12345' };
  };

  it('sends escaped fields, and reads the words of the response', async () => {
    await start('generic-form', system, { campaign_key: 'campaign & key' });
    expect(await sell(ACCEPTED)).toEqual([first()]);
    const request = lastRequest();
    expect([request.method, request.path, request.headers['content-type']]).toEqual([
      'POST',
      '/post',
      'application/x-www-form-urlencoded',
    ]);
    expect(formOf(request)).toEqual({
      campaign_key: 'campaign & key',
      lead_ref: expect.stringMatching(/^LS-\d{6}$/) as string,
      first_name: 'Jordan',
      last_name: 'Ann Rivera',
      email: ACCEPTED,
      phone: expect.stringMatching(/^555555\d{4}$/) as string,
      state: 'CA',
      debt_amount: '24501',
      ip_address: '203.0.113.24',
      consent_date: '11/20/2026 12:03:11',
      test: '0',
    });
    expect(await sell(REJECTED)).toEqual([failed('no debt amount'), second()]);
    expect(await sell(DUPLICATE)).toEqual([failed('duplicate'), second()]);
  });

  it('sends a lead again when the text says that the system has a problem', async () => {
    await start('generic-form', system, { campaign_key: 'campaign & key' });
    expect(await sell(BROKEN)).toEqual([first()]);
    expect(receiver.requests).toHaveLength(2);
  });
});

describe('The preset of a HubSpot form', () => {
  type Submission = {
    readonly fields: ReadonlyArray<{ readonly objectTypeId: string; readonly name: string; readonly value: string }>;
  };

  // As in the reference of "Submit data to a form": 200 with a message, 400 with a list of errors.
  const system: System = ({ body, headers }) => {
    if (headers['content-type'] !== 'application/json') return { status: 415 };
    const { fields } = JSON.parse(body) as Submission;
    const email = fields.find(({ name }) => name === 'email')?.value ?? '';
    const fault = (message: string, errorType: string): Reply =>
      json(400, {
        status: 'error',
        message: 'The request is not valid',
        correlationId: '2d4a4a34-5b6f-4bb2-9e0c-95a1d1bf1b5d',
        errors: [{ message, errorType }],
      });
    if (email === '') return fault("Error in 'fields'. Required field 'email' is missing", 'REQUIRED_FIELD');
    if (email === REJECTED) {
      return fault("Error in 'fields.email'. Submission from this email address are not allowed", 'BLOCKED_EMAIL');
    }
    if (email === BROKEN && receiver.requests.length === 1) return { status: 429 };
    return json(200, { inlineMessage: 'Thanks for submitting the form.' });
  };

  it('submits the fields of the form with consent, and reads the errors of the person’s data as rejections', async () => {
    await start('hubspot-form', system);
    expect(await sell(ACCEPTED)).toEqual([first()]);
    const { path, body } = lastRequest();
    expect(path).toBe('/submissions/v3/integration/submit/PORTAL_ID/FORM_GUID');
    const { submittedAt, ...submission } = JSON.parse(body) as Record<string, unknown>;
    expect(submittedAt).toMatch(/^\d{13}$/);
    expect(submission).toEqual({
      fields: [
        { objectTypeId: '0-1', name: 'email', value: ACCEPTED },
        { objectTypeId: '0-1', name: 'firstname', value: 'Jordan' },
        { objectTypeId: '0-1', name: 'lastname', value: 'Ann Rivera' },
        { objectTypeId: '0-1', name: 'phone', value: expect.stringMatching(/^\+1555555\d{4}$/) as string },
        { objectTypeId: '0-1', name: 'state', value: 'CA' },
      ],
      context: {
        pageUri: 'https://forms.example.com/debt?utm_source=search',
        pageName: expect.stringMatching(/^Lead LS-\d{6}$/) as string,
      },
      legalConsentOptions: {
        consent: { consentToProcess: true, text: 'I agree to be contacted about my request.' },
      },
    });
    expect(await sell(REJECTED)).toEqual([failed('not allowed'), second()]);
    expect(await sell(null)).toEqual([failed('Required field'), second()]);
  });

  it('submits a lead again after too many requests', async () => {
    await start('hubspot-form', system);
    expect(await sell(BROKEN)).toEqual([first()]);
    expect(receiver.requests).toHaveLength(2);
  });
});

describe('The preset of Salesforce Web-to-Lead', () => {
  // It responds 200 in any case; only a header says that it could not process the request.
  const system: System = (request) => {
    const { oid, email } = formOf(request);
    const isBad = oid !== '00D5f000000XXXX' || (email === BROKEN && receiver.requests.length === 1);
    return {
      status: 200,
      headers: {
        'content-type': 'text/html;charset=UTF-8',
        'is-processed': isBad ? 'true Exception:common.exception.SalesforceGenericException' : 'true',
      },
      body: '<html><head><meta http-equiv="Refresh" content="0; URL=https://www.salesforce.com"></head></html>',
    };
  };

  it('posts the form with the id of the organization, and takes 200 as acceptance', async () => {
    await start('salesforce-web-to-lead', system, { oid: '00D5f000000XXXX' });
    expect(await sell(ACCEPTED)).toEqual([first()]);
    const request = lastRequest();
    expect(request.path).toBe('/servlet/servlet.WebToLead?encoding=UTF-8');
    expect(formOf(request)).toEqual({
      oid: '00D5f000000XXXX',
      retURL: 'https://www.salesforce.com',
      first_name: 'Jordan',
      last_name: 'Ann Rivera',
      company: 'Private',
      email: ACCEPTED,
      phone: expect.stringMatching(/^\(555\) 555-\d{4}$/) as string,
      state: 'CA',
      lead_source: 'Marketplace',
      description: expect.stringMatching(/^Reference LS-\d{6}, debt 24,500\.50$/) as string,
    });
  });

  it('posts a lead again when the header names an exception', async () => {
    await start('salesforce-web-to-lead', system, { oid: '00D5f000000XXXX' });
    expect(await sell(BROKEN)).toEqual([first()]);
    expect(receiver.requests).toHaveLength(2);
  });
});

describe('The preset of a hook of Zapier or Make', () => {
  it('posts one flat object, and takes the response of Zapier as acceptance', async () => {
    // As "Catch Hook" responds.
    await start('zapier-or-make-hook', () =>
      json(200, { attempt: '018f-5b', id: '018f-5b', request_id: '018f-5b', status: 'success' }),
    );
    expect(await sell(ACCEPTED)).toEqual([first()]);
    expect(lastRequest().path).toBe('/hooks/catch/000000/aaaaaa/');
    const sent = JSON.parse(lastRequest().body) as Record<string, unknown>;
    expect(sent).toMatchObject({ kind: 'Lead Sale', price: 45, fullName: 'Jordan Ann Rivera', appointmentAt: null });
    expect(Object.values(sent).filter((value) => typeof value === 'object' && value !== null)).toEqual([]);
  });

  it('reads what a scenario of Make responds, and waits while its queue is full', async () => {
    await start('zapier-or-make-hook', ({ body }) => {
      const { email } = JSON.parse(body) as { email: string };
      if (email === REJECTED) return json(200, { outcome: 'rejected', reason: 'not in our states' });
      if (email === DUPLICATE) return json(200, { outcome: 'duplicate', reason: 'known since May' });
      if (email === BROKEN && receiver.requests.length === 1) return { status: 400, body: 'Queue is full.' };
      return { status: 200, body: 'Accepted' };
    });
    expect(await sell(BROKEN)).toEqual([first()]);
    expect(receiver.requests).toHaveLength(2);
    expect(await sell(ACCEPTED)).toEqual([first()]);
    expect(await sell(REJECTED)).toEqual([failed('not in our states'), second()]);
    expect(await sell(DUPLICATE)).toEqual([failed('known since May'), second()]);
  });
});

describe('The preset of a response as LeadConduit gives it', () => {
  const system: System = (request) => {
    if (request.headers['x-api-key'] !== 'source-key') return json(401, { outcome: 'error', reason: 'bad key' });
    const { email } = formOf(request);
    const lead = { id: '550e8400e29b41d4a7164466' };
    if (email === REJECTED) return json(201, { outcome: 'failure', reason: 'Phone is disconnected', lead, price: 0 });
    if (email === DUPLICATE) return json(201, { outcome: 'failure', reason: 'Duplicate lead', lead, price: 0 });
    if (email === BROKEN && receiver.requests.length === 1) return json(200, { outcome: 'error', reason: 'timeout' });
    return json(201, { outcome: 'success', lead, price: 15 });
  };

  it('posts the standard fields, and reads outcome and reason', async () => {
    await start('leadconduit-style', system, { source_key: 'source-key' });
    expect(await sell(ACCEPTED)).toEqual([first()]);
    const request = lastRequest();
    expect([request.path, request.headers['accept']]).toEqual([
      '/flows/FLOW_ID/sources/SOURCE_ID/submit',
      'application/json',
    ]);
    expect(formOf(request)).toEqual({
      reference: expect.stringMatching(/^LS-\d{6}$/) as string,
      first_name: 'Jordan',
      last_name: 'Ann Rivera',
      email: ACCEPTED,
      phone_1: expect.stringMatching(/^555555\d{4}$/) as string,
      state: 'CA',
      ip_address: '203.0.113.24',
      trustedform_cert_url: '',
      universal_leadid: '',
    });
    expect(await sell(REJECTED)).toEqual([failed('Phone is disconnected'), second()]);
    expect(await sell(DUPLICATE)).toEqual([failed('Duplicate lead'), second()]);
  });

  it('posts a lead again when the flow has an error of its own', async () => {
    await start('leadconduit-style', system, { source_key: 'source-key' });
    expect(await sell(BROKEN)).toEqual([first()]);
    expect(receiver.requests).toHaveLength(2);
  });
});
