// The example files of verticals through the whole service: post with own fields, filter, webhook with `lead.fields`, CSV file.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { columnNames } from '../../src/deliveries/delivery-columns.rules.ts';
import { type ApiResponse, getAsBuyer, getAsSupplier, postLead } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';

const FOLDER = join(import.meta.dirname, '../../examples/verticals');
const CONTACT = {
  full_name: 'Jordan Rivera',
  phone: '+15555550123',
  state: 'CA',
  consent_timestamp: '2026-11-20T17:03:11Z',
};

type Message = { readonly type: string; readonly data: { readonly deliveryId: string; readonly lead: object } };

type Example = {
  readonly market: TestMarketplace;
  readonly receiver: Receiver;
  readonly messageTo: (partner: string) => Promise<Message>;
};

/** For all tests of one example: the service with its file, whose partners have their endpoints here. */
function withExample(name: string): () => Example {
  let example: Example | null = null;
  beforeAll(async () => {
    example = await openExample(name);
  });
  afterAll(async () => {
    await example?.market.close();
    await example?.receiver.close();
  });
  return () => {
    if (example === null) throw new Error(`the example ${name} is not open`);
    return example;
  };
}

async function openExample(name: string): Promise<Example> {
  const receiver: Receiver = await startReceiver({ respond: () => ({ status: 204 }) });
  const text = await readFile(join(FOLDER, `${name}.yaml`), 'utf8');
  const yaml = text.replaceAll(/https:\/\/[\w.]+\.example\//g, `${receiver.origin}/`);
  const market: TestMarketplace = await startTestMarketplace({ yaml, allowTargets: [receiver.origin] });
  /** The message of a lead that was sold to this partner, its signature checked. */
  const messageTo = async (partner: string): Promise<Message> => {
    const request = await eventually('a message arrives', () => receiver.requests.at(-1) ?? null);
    const webhook = new Webhook(await market.secretOf(partner));
    return webhook.verify(request.body, request.headers as Record<string, string>) as Message;
  };
  return { market, receiver, messageTo };
}

async function statusOf(market: TestMarketplace, key: string, posted: ApiResponse): Promise<unknown> {
  return eventually('the lead is decided', async () => {
    const { json } = await getAsSupplier(market.url, key, `/api/v1/supplier/leads/${posted.json.lead_id}`);
    return json.status === 'Pending' ? null : json.status;
  });
}

async function tableOf(market: TestMarketplace, partner: string): Promise<readonly [header: string[], rows: string[]]> {
  const { text } = await getAsBuyer(market.url, await market.buyerToken(partner), '/api/v1/buyer/export');
  const [header = '', ...rows] = text.trimEnd().split('\r\n');
  return [header.split(',').slice(columnNames.length), rows];
}

const ownCells = (row: string | undefined): string => (row ?? '').split(',').slice(columnNames.length).join(',');

describe('The example of debt settlement', () => {
  const example = withExample('debt');
  it('sells a lead on the same wire as without verticals', async () => {
    const { market, messageTo } = example();
    const key = await market.supplierKey('acme-media');
    const posted = await postLead(market.url, key, { ...CONTACT, debt_amount: '24500' });
    expect(await statusOf(market, key, posted)).toBe('Lead Sale');
    const { data } = await messageTo('summit');
    expect(Object.keys(data.lead)).toEqual([
      ...['fullName', 'email', 'phone', 'state', 'debtAmount', 'tcpaConsent', 'consentTimestamp', 'leadIp'],
      ...['utmSource', 'sourceUrl'],
    ]);
    expect(await tableOf(market, 'summit')).toEqual([[], [expect.stringContaining(data.deliveryId)]]);
  });
});

describe('The example of solar', () => {
  const example = withExample('solar');
  const answers = { bill: '$1,180.50', owner: true, shade: 'PARTIAL' };

  it('sells a lead with its own fields, without those that buyers do not get', async () => {
    const { market, messageTo } = example();
    const key = await market.supplierKey('sunquiz');
    const lead = { ...CONTACT, postcode: '941030001', answers, roof_age: '12', utility: '=PG&E', quiz_seconds: 40 };
    const posted = await postLead(market.url, key, lead);
    expect(await statusOf(market, key, posted)).toBe('Lead Sale');
    const fields = {
      ...{ zip: '94103-0001', home_owner: true, monthly_bill: 1180.5, roof_shade: 'partial', roof_age: 12 },
      utility: '=PG&E',
    };
    const { data } = await messageTo('brightroof');
    expect(data.lead).toMatchObject({ fullName: 'Jordan Rivera', fields });
    expect(data.lead).not.toHaveProperty('fields.quiz_seconds');
    const token = await market.buyerToken('brightroof');
    const { json: listed } = await getAsBuyer(market.url, token, '/api/v1/buyer/leads');
    const { json: one } = await getAsBuyer(market.url, token, `/api/v1/buyer/leads/${data.deliveryId}`);
    const { json: feed } = await getAsBuyer(market.url, token, '/api/v1/buyer/events');
    for (const shown of [listed.data[0], one, feed.data[0].data]) expect(shown.lead.fields).toEqual(fields);
    const [columns, [row]] = await tableOf(market, 'brightroof');
    expect(columns).toEqual([
      ...['fields.zip', 'fields.home_owner', 'fields.monthly_bill', 'fields.roof_shade', 'fields.roof_age'],
      'fields.utility',
    ]);
    expect(ownCells(row)).toBe("94103-0001,true,1180.50,partial,12,'=PG&E");
    const { json: page } = await (
      await market.signedIn.buyer('brightroof')
    ).get(`/portal/api/buyer/deliveries/${data.deliveryId}`);
    expect(page).toMatchObject({ vertical: 'Solar', delivery: { lead: { fields } } });
    expect(page.ownFields[1]).toEqual({
      ...{ name: 'home_owner', label: 'Owns the home', type: 'boolean', value: true },
    });
    const { json: story } = await (await market.signedIn.operator()).get(`/console/api/leads/${posted.json.lead_id}`);
    expect(story.lead.fields.own).toMatchObject({ roof_age: { value: 12 }, quiz_seconds: { value: 40, hidden: true } });
    const { json: document } = await getAsSupplier(market.url, key, '/api/v1/supplier/openapi.json');
    const { LeadSubmission } = document.components.schemas;
    expect(LeadSubmission.properties).toMatchObject({ postcode: {}, roof_age: { type: ['string', 'number'] } });
    expect(Object.keys(document.paths)).toContain('/api/v1/ingest');
    expect(Object.keys(document.paths).join()).not.toContain('/buyer/');
  });

  it('does not sell a lead of a tenant, with a small bill or with a full shade', async () => {
    const { market, receiver } = example();
    const key = await market.supplierKey('sunquiz');
    const before = receiver.requests.length;
    const others = [{ owner: false }, { bill: '119.99' }, { shade: 'full' }];
    for (const [number, other] of others.entries()) {
      const phone = `+1555555020${number}`;
      const lead = { ...CONTACT, phone, postcode: '94103', answers: { ...answers, ...other }, roof_age: 3 };
      expect(await statusOf(market, key, await postLead(market.url, key, lead))).toBe('No Buyer');
    }
    expect(receiver.requests).toHaveLength(before);
  });

  it('rejects a lead whose own fields are missing or wrong, and names them as the vertical does', async () => {
    const { market } = example();
    const lead = { ...CONTACT, postcode: 'here', answers: { ...answers, bill: null }, roof_age: 151 };
    const { status, json } = await postLead(market.url, await market.supplierKey('sunquiz'), lead);
    expect([status, json.reason]).toEqual([422, 'zip invalid; monthly_bill required; roof_age invalid']);
  });
});

describe('The example of home services', () => {
  const example = withExample('home-services');
  it('sells leads of two verticals by beginnings of ZIP codes, to columns that both share', async () => {
    const { market, receiver, messageTo } = example();
    const key = await market.supplierKey('fixit-forms');
    const roof = { ...CONTACT, zip: '94501', material: 'Metal', start_date: '2026-12-01' };
    expect(await statusOf(market, key, await postLead(market.url, key, roof))).toBe('Lead Sale');
    expect((await messageTo('bay-roofers')).data.lead).toMatchObject({
      fields: { zip: '94501', material: 'metal', start_date: '2026-12-01' },
    });
    const pipe = { vertical: 'plumbing', zip: '94110', problem: 'Leak, "bad"', gate_code: '#12' };
    const posted = await postLead(market.url, key, { ...CONTACT, phone: '+15555550124', ...pipe });
    expect(await statusOf(market, key, posted)).toBe('Lead Sale');
    await eventually('both messages arrive', () => receiver.requests.length === 2);
    expect((await messageTo('bay-roofers')).data.lead).toMatchObject({
      fields: { zip: '94110', problem: 'Leak, "bad"', gate_code: '#12' },
    });
    const { json: page } = await (await market.signedIn.buyer('bay-roofers')).get('/portal/api/buyer/deliveries');
    expect(new Set(Object.values(page.verticals))).toEqual(new Set(['Plumbing', 'Roofing']));
    const [columns, rows] = await tableOf(market, 'bay-roofers');
    expect(columns).toEqual(
      ['zip', 'problem', 'gate_code', 'material', 'urgent', 'start_date'].map((name) => `fields.${name}`),
    );
    expect(rows[0]).toMatch(/,94110,"Leak, ""bad""",#12,,,$/);
    expect(rows[1]).toMatch(/,94501,,,metal,,2026-12-01$/);
  });

  it('sells no lead from outside of the list, and none of another vertical', async () => {
    const { market, receiver } = example();
    const key = await market.supplierKey('fixit-forms');
    const before = receiver.requests.length;
    const far = { ...CONTACT, phone: '+15555550125', zip: '94503' };
    expect(await statusOf(market, key, await postLead(market.url, key, far))).toBe('No Buyer');
    const pipe = { ...CONTACT, phone: '+15555550126', vertical: 'plumbing', zip: '94001', problem: 'Leak' };
    expect(await statusOf(market, key, await postLead(market.url, key, pipe))).toBe('No Buyer');
    expect(receiver.requests).toHaveLength(before);
  });
});

describe('The example of auto insurance', () => {
  const example = withExample('auto-insurance');
  const driver = { ...CONTACT, zip: '94103', birth_date: '1988-05-04', vehicle_year: 2014, insured: true };

  it('sells each lead to the carrier whose filters it passes', async () => {
    const { market, receiver, messageTo } = example();
    const key = await market.supplierKey('quotewise');
    const good = { ...driver, credit: 'Good', violations: 1, spouse_phone: '(555) 555-0199' };
    const refused = await postLead(market.url, key, good);
    expect(refused.json.reason).toBe('spouse_phone invalid');
    const posted = await postLead(market.url, key, { ...good, spouse_phone: '+1 555 555 0199' });
    expect(await statusOf(market, key, posted)).toBe('Lead Sale');
    expect((await messageTo('safe-mutual')).data.lead).toMatchObject({
      fields: { birth_date: '1988-05-04', credit: 'good', violations: 1, spouse_phone: '+15555550199' },
    });
    const risky = { ...driver, phone: '+15555550124', credit: 'poor', violations: 4 };
    expect(await statusOf(market, key, await postLead(market.url, key, risky))).toBe('Lead Sale');
    await eventually('both messages arrive', () => receiver.requests.length === 2);
    expect((await messageTo('second-chance')).data.lead).toMatchObject({ fields: { credit: 'poor', violations: 4 } });
    const [, rows] = await tableOf(market, 'second-chance');
    expect(ownCells(rows[0])).toBe('94103,1988-05-04,2014,,true,,poor,4,');
  });
});
