// Tests suppliers with their own field names: names, nested bodies, constants and transforms (contract 3.7).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { uuidOf } from '../../src/base/ids.ts';
import { type ApiResponse, postLead } from '../support/api-client.ts';
import { select } from '../support/ledger-faults.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { ignoreSubmittedBodies } from '../support/openapi/watch-responses.ts';
import { storedLead } from '../support/stored-lead.ts';
import { marketYaml, sampleLead } from './market.ts';

// JSON is YAML.
const MAPPING = JSON.stringify({
  'contact.name': 'full_name',
  'contact.mails.0': 'email',
  Mobile: { to: 'phone', transform: 'us_phone' },
  'address.region': { to: 'state', transform: 'state_name' },
  amountOwed: { to: 'debt_amount', transform: 'money' },
  submittedAt: { to: 'consent_timestamp', transform: 'epoch_s' },
  submittedMs: { to: 'consent_timestamp', transform: 'epoch_ms' },
  formUrl: { to: 'source_form_url', transform: 'trim' },
  ref: { to: 'external_id', transform: 'upper' },
  slug: { to: 'jornaya_lead_id', transform: 'lower' },
  'How many?': { to: 'utm_term', transform: 'digits' },
  'plain.name': 'utm_campaign',
  $set: { source: 'brightform', utm_medium: 'form', tcpa_consent: true },
});

let market: TestMarketplace;
let key: string;

beforeAll(async () => {
  ignoreSubmittedBodies();
  market = await startTestMarketplace({ yaml: marketYaml({ acmeMapping: MAPPING }), role: 'api' });
  key = await market.supplierKey('acme-media');
});
afterAll(() => market.close());

const send = (body: object | string): Promise<ApiResponse> => postLead(market.url, key, body);
async function fieldsOf(body: object | string): Promise<unknown> {
  const { status, json } = await send(body);
  return status === 202 ? (await storedLead(market.database, json.lead_id)).fields : { status, ...json };
}

const FORM = {
  contact: { name: 'Jordan Rivera', mails: ['jordan@example.com', 'second@example.com'], age: 41 },
  Mobile: '(555) 555-0123',
  address: { region: 'california' },
  amountOwed: '$24,500.50',
  submittedAt: 1_763_658_191,
  formUrl: ' https://forms.example.com/debt ',
  ref: 'bf-1',
  slug: 'ABC',
  'How many?': 'about 3 cards',
  'plain.name': 'west',
  other: [1, 2],
};

describe('A submission with the supplier’s own field names', () => {
  it('becomes a lead with the standard fields', async () => {
    expect(await fieldsOf(FORM)).toMatchObject({
      fullName: 'Jordan Rivera',
      email: 'jordan@example.com',
      phone: '+15555550123',
      state: 'CA',
      debtAmountCents: 2_450_050,
      consentTimestamp: '2025-11-20T17:03:11.000Z',
      sourceFormUrl: 'https://forms.example.com/debt',
      source: 'brightform',
      utmMedium: 'form',
      utmTerm: '3',
      utmCampaign: 'west',
      jornayaLeadId: 'abc',
      tcpaConsent: true,
    });
  });

  it('keeps unmapped members, and the body as received', async () => {
    const body = JSON.stringify({ ...FORM, ref: 'bf-2' }, null, 2);
    const { json } = await send(body);
    const stored = await storedLead(market.database, json.lead_id);
    expect([stored.externalId, stored.rawBody]).toEqual(['BF-2', body]);
    expect(stored.fields?.extra).toEqual({
      contact: { mails: ['jordan@example.com', 'second@example.com'], age: 41 },
      other: [1, 2],
    });
  });

  it.each<[object, object]>([
    [{ contact: { name: 'Jordan' } }, { reason: 'email or phone required' }],
    [{ contact: { mails: ['a@b.co'] } }, { reason: 'name required' }],
    [{ contact: null, Mobile: ' ' }, { reason: 'email or phone required; name required' }],
    [{ contact: 'Jordan', Mobile: 'call me' }, { reason: 'name required; phone invalid' }],
    [{ ...FORM, address: { region: 'Bavaria' } }, { reason: 'state invalid' }],
    [{ ...FORM, amountOwed: '10k-20k' }, { reason: 'debt_amount invalid' }],
    [{ ...FORM, submittedAt: 'yesterday' }, { reason: 'consent_timestamp invalid' }],
    [{ ...FORM, contact: { name: ['Jordan'], mails: ['a@b.co'] } }, { reason: 'full_name invalid' }],
  ])('is validated under the names of its fields: %j', async (form, seen) => {
    expect(await fieldsOf(form)).toMatchObject({ status: 422, accepted: false, ...seen });
  });

  it('may contain standard names as well, but the mapped names win', async () => {
    expect(await fieldsOf({ full_name: 'Standard Name', email: 'standard@example.com', source: 'mine' })).toMatchObject(
      {
        fullName: 'Standard Name',
        email: 'standard@example.com',
        source: 'brightform',
      },
    );
    const { ref: _, ...form } = FORM;
    expect(await fieldsOf({ ...form, full_name: 'Standard Name' })).toMatchObject({ fullName: 'Jordan Rivera' });
  });

  it('takes the first non-empty one of several names for a field', async () => {
    const { ref: _, submittedAt: __, ...form } = FORM;
    expect(await fieldsOf({ ...form, submittedMs: '1763658191250' })).toMatchObject({
      consentTimestamp: '2025-11-20T17:03:11.250Z',
    });
    expect(await fieldsOf({ ...form, submittedAt: null, submittedMs: 1_763_658_191_250 })).toMatchObject({
      consentTimestamp: '2025-11-20T17:03:11.250Z',
    });
  });

  it('is the same content in another order, and other content with another value', async () => {
    const first = await send({ ...FORM, ref: 'bf-3' });
    const shuffled = Object.fromEntries(Object.entries({ ...FORM, ref: 'BF-3', amountOwed: '24500.50' }).toReversed());
    const again = await send(shuffled);
    expect([again.status, again.json.lead_id]).toEqual([202, first.json.lead_id]);
    expect((await send({ ...FORM, ref: 'bf-3', other: [2, 1] })).status).toBe(409);
  });

  it('cannot reach prototypes by its names', async () => {
    const { ref: _, ...form } = FORM;
    const odd = {
      ...form,
      toString: 'x',
      hasOwnProperty: 'y',
      valueOf: { a: 1 },
      constructor: 'z',
      contact: { ...form.contact, constructor: 1 },
    };
    expect(await fieldsOf(odd)).toMatchObject({
      fullName: 'Jordan Rivera',
      extra: { toString: 'x', hasOwnProperty: 'y', valueOf: { a: 1 }, constructor: 'z' },
    });
  });
});

const SENT_BY_FORMS = JSON.stringify({
  created: { to: 'consent_timestamp', transform: 'time', format: 'MM/DD/YYYY h:mm A', timeZone: 'America/New_York' },
  optin: { to: 'tcpa_consent', transform: 'boolean' },
  is_test: { to: 'test', transform: 'boolean' },
  ip: { to: 'lead_ip', transform: 'public_ip', orNothing: true },
  region: { to: 'state', transform: 'state_name', orNothing: true },
  'field_data[name=full_name].values.0': 'full_name',
  'field_data[name=email].values.0': 'email',
  'field_data[name=phone_number].values.0': { to: 'phone', transform: 'us_phone', orNothing: true },
});

/** As form builders and ad networks send it. */
const ANSWERS = {
  field_data: [
    { name: 'phone_number', values: ['(555) 555-0188'] },
    { name: 'full_name', values: ['Lena Ortiz'] },
    { name: 'email', values: ['lena@example.com'] },
  ],
  created: '11/20/2025 5:03 PM',
  optin: 'yes',
  is_test: 'false',
  ip: '10.0.0.1, 198.51.100.7:51234',
  region: 'nevada',
  xxTrustedFormCertUrl: 'https://cert.trustedform.com/0123abcd',
  universal_leadid: ' 01234567-89AB ',
};

describe('A submission of a form builder', () => {
  beforeAll(() => market.apply(marketYaml({ acmeMapping: SENT_BY_FORMS })));

  it('is read with times, consents, addresses and answers as they are sent', async () => {
    expect(await fieldsOf(ANSWERS)).toMatchObject({
      ...{ fullName: 'Lena Ortiz', email: 'lena@example.com', phone: '+15555550188', state: 'NV' },
      ...{ consentTimestamp: '2025-11-20T22:03:00.000Z', tcpaConsent: true, leadIp: '198.51.100.7' },
      // Without a mapping, as the certificates' own scripts name them.
      ...{ trustedformCertUrl: 'https://cert.trustedform.com/0123abcd', jornayaLeadId: '01234567-89AB' },
    });
    const { field_data: _, ...rest } = ANSWERS;
    const other = { ...rest, full_name: 'Lena', email: 'l@example.com', created: '2025-11-20T17:03:11+0000', optin: 0 };
    expect(await fieldsOf(other)).toMatchObject({ consentTimestamp: '2025-11-20T17:03:11.000Z', tcpaConsent: false });
  });

  it('is proof of consent with the certificates', async () => {
    const { json } = await send({ ...ANSWERS, external_id: 'cert-1' });
    const [row] = await select<{ proof: string }>(
      market.database,
      `SELECT proof FROM consent_record WHERE lead_id = '${uuidOf('lead', json.lead_id)}'`,
    );
    expect(JSON.parse(row?.proof ?? '{}')).toMatchObject({
      trustedformCertUrl: 'https://cert.trustedform.com/0123abcd',
      jornayaLeadId: '01234567-89AB',
    });
  });

  it('is taken without optional values that cannot be read, where the mapping says so', async () => {
    const unreadable = { ...ANSWERS, ip: 'unknown', region: 'somewhere' };
    expect(await fieldsOf(unreadable)).toMatchObject({ leadIp: null, state: null, phone: '+15555550188' });
    expect(await fieldsOf({ ...ANSWERS, created: 'yesterday' })).toMatchObject({ reason: 'consent_timestamp invalid' });
    expect(await fieldsOf({ ...ANSWERS, is_test: 'perhaps', optin: 'perhaps' })).toMatchObject({
      reason: 'tcpa_consent invalid; test invalid',
    });
    const noContact = {
      field_data: [
        { name: 'full_name', values: ['X'] },
        { name: 'phone_number', values: ['12'] },
      ],
    };
    expect(await fieldsOf(noContact)).toMatchObject({ reason: 'email or phone required' });
  });

  it('keeps a certificate that cannot be read among its further members', async () => {
    const { xxTrustedFormCertUrl: _, ...rest } = ANSWERS;
    expect(await fieldsOf({ ...rest, xxTrustedFormCertUrl: 'none' })).toMatchObject({
      trustedformCertUrl: null,
      extra: { xxTrustedFormCertUrl: 'none' },
    });
  });
});

describe('The mapping', () => {
  beforeAll(() => market.apply(marketYaml({ acmeMapping: MAPPING })));

  it('is a supplier’s own', async () => {
    const rival = await market.supplierKey('rival-media');
    expect((await postLead(market.url, rival, FORM)).json.reason).toBe('email or phone required; name required');
    expect((await postLead(market.url, rival, sampleLead(1))).status).toBe(202);
  });

  it('changes with the configuration, for the next lead', async () => {
    await market.apply(marketYaml());
    expect((await send({ ...FORM, ref: 'bf-4' })).json.reason).toBe('email or phone required; name required');
    await market.apply(marketYaml({ acmeMapping: '{ who: full_name, mail: email }' }));
    expect((await send({ who: 'Jordan', mail: 'a@b.co' })).status).toBe(202);
    await market.apply(marketYaml({ acmeMapping: MAPPING }));
  });
});
