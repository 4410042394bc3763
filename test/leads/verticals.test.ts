// Leads of several verticals from submission to delivery: checks, routing by own fields, explanations, changes while leads wait, and erasure
// (contract 14).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { uuidOf } from '../../src/base/ids.ts';
import { eraseDataSubjects } from '../../src/privacy/erase-data-subjects.ts';
import { explainToPartner } from '../../src/routing/explain-to-partner.rules.ts';
import { offerInWords } from '../../src/routing/explain-in-words.rules.ts';
import { traceLead } from '../../src/routing/trace-lead.ts';
import { type ApiResponse, call, postLead } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { ignoreSubmittedBodies } from '../support/openapi/watch-responses.ts';
import { storedLead } from '../support/stored-lead.ts';

const solarFields = (roof: string) => `
      - { name: ${roof}, label: Roof, type: enum, values: [tile, metal, flat], required: true }
      - { name: bill, type: money, max: 5000 }
      - { name: zip, type: zip }
      - { name: born, type: date, personal: true }
      - { name: grade, type: integer, delivered: false }`;

const yaml = ({ roof = 'roof', offerStatus = 'active' } = {}) => `
marketplace: { holdMinutes: 60, dedupDays: 0 }
verticals:
  - key: solar
    fields:${solarFields(roof)}
  - key: auto
    fields: [{ name: vin, required: true }]
suppliers:
  - key: sunny
    status: approved
    vertical: solar
    verticals: [auto]
    fieldMapping: { 'home.roof': ${roof}, monthly: { to: bill, transform: money }, kind: vertical }
  - { key: plain, status: approved }
partners:
  - key: summit
    offers:
      - { key: flat-roofs, vertical: solar, eventType: Lead Sale, payout: 9, status: ${offerStatus}, filters: { fields: { ${roof}: { in: [flat] }, zip: { in: ['941*'] } } } }
      - { key: young, vertical: solar, eventType: Lead Sale, payout: 8, status: ${offerStatus}, filters: { fields: { born: { min: '2000-01-01' } } } }
      - { key: best, vertical: solar, eventType: Lead Sale, payout: 7, status: ${offerStatus}, filters: { fields: { grade: { min: 5 } } } }
      - { key: cars, vertical: auto, eventType: Lead Sale, payout: 90 }
      - { key: others, eventType: Lead Sale, payout: 100 }
`;

let market: TestMarketplace;
let sunny: string;
let plain: string;
let summit: string;

beforeAll(async () => {
  ignoreSubmittedBodies();
  market = await startTestMarketplace({ yaml: yaml() });
  sunny = await market.supplierKey('sunny');
  plain = await market.supplierKey('plain');
  summit = await market.buyerToken('summit');
});
afterAll(() => market.close());

let posted = 0;
function post(body: Record<string, unknown>, key = sunny): Promise<ApiResponse> {
  posted += 1;
  return postLead(market.url, key, {
    full_name: 'Jordan Rivera',
    email: `person-${posted}@example.com`,
    state: 'CA',
    ...body,
  });
}

async function decided(body: Record<string, unknown>, key = sunny) {
  const { status, text, json } = await post(body, key);
  if (status !== 202) throw new Error(text);
  const leadId = uuidOf('lead', json.lead_id);
  if (leadId === null) throw new Error(text);
  return eventually('the lead is decided', async () => {
    const trace = await market.database.tx((tx) => traceLead(tx, leadId));
    return trace?.decision === null || trace === null ? null : { leadId, trace };
  });
}

const soldTo = ({ trace }: Awaited<ReturnType<typeof decided>>) =>
  trace.decision?.offers.filter(({ result }) => result === 'sold').map(({ offerKey }) => offerKey);
const reasonOf = ({ trace }: Awaited<ReturnType<typeof decided>>, offerKey: string) =>
  trace.decision?.offers.find((offer) => offer.offerKey === offerKey);

describe('A lead of a vertical', () => {
  it('is rejected with the errors of its own fields, which are stored and counted like standard ones', async () => {
    const { status, json } = await post({ monthly: 'much', zip: 94_103, state: 'XX' });
    expect([status, json.reason]).toEqual([422, 'state invalid; roof required; bill invalid; zip invalid']);
    expect((await post({ kind: 'boats' })).json.reason).toBe('vertical invalid');
    expect((await post({ kind: 'auto' })).json.reason).toBe('vin required');
  });

  it('takes own fields through the field mapping and its transforms, and is sold by filters on them', async () => {
    const lead = await decided({ home: { roof: 'FLAT' }, monthly: '$1,200.50', zip: '94103-1234', pet: 'cat' });
    expect(soldTo(lead)).toEqual(['flat-roofs']);
    const { fields } = await storedLead(market.database, lead.trace.lead.leadId);
    expect(fields).toMatchObject({
      vertical: 'solar',
      own: {
        roof: { type: 'enum', value: 'flat', label: 'Roof' },
        bill: { type: 'money', value: 1200.5 },
        zip: { type: 'zip', value: '94103-1234' },
      },
      extra: { pet: 'cat' },
    });
  });

  it('goes to offers of its vertical alone, and a lead of none to offers of none', async () => {
    expect(soldTo(await decided({ kind: 'auto', vin: 'WVW' }))).toEqual(['cars']);
    const without = await decided({ roof: 'flat' }, plain);
    expect(soldTo(without)).toEqual(['others']);
    expect(reasonOf(without, 'cars')).toMatchObject({ code: 'vertical_not_wanted', got: null, want: 'auto' });
    expect((await post({ vertical: 'solar', roof: 'flat' }, plain)).json.reason).toBe('vertical invalid');
  });

  it('explains to operator and partner which field left an offer out, without values that are not theirs', async () => {
    const lead = await decided({ 'home.roof': 'tile', born: '1970-01-01', grade: 3 });
    expect(soldTo(lead)).toEqual([]);
    const found = ['flat-roofs', 'young', 'best', 'cars'].map((key) => reasonOf(lead, key));
    expect(found).toMatchObject([
      { code: 'field_not_wanted', got: { field: 'roof', label: 'Roof', value: 'tile' }, want: ['flat'] },
      { code: 'field_too_low', got: { field: 'born' }, want: '2000-01-01' },
      { code: 'field_too_low', got: { field: 'grade', value: 3, hidden: true }, want: 5 },
      { code: 'vertical_not_wanted', got: 'solar', want: 'auto' },
    ]);
    expect(JSON.stringify(lead.trace.decision)).not.toContain('1970');
    expect(found.map((offer) => (offer === undefined ? '' : offerInWords(offer).values))).toEqual([
      'Roof: it is tile; wanted flat',
      'born: wanted at least 2000-01-01',
      'grade: it is 3; wanted at least 5',
      'the lead has solar; the offer has auto',
    ]);
    const shown = explainToPartner(lead.trace.decision?.offers ?? [], 'summit');
    expect(shown.find(({ offerKey }) => offerKey === 'best')?.got).toEqual({ field: 'grade' });
    expect(shown.find(({ offerKey }) => offerKey === 'cars')).not.toHaveProperty('got');
  });

  it('repeats its first response, and conflicts if an own value is another', async () => {
    const body = { external_id: 'S-1', email: 'same@example.com', home: { roof: 'flat' }, zip: '94103' };
    const first = await post(body);
    const again = await post({ ...body, home: { roof: 'Flat' } });
    expect([again.status, again.json.lead_id]).toEqual([202, first.json.lead_id]);
    expect((await post({ ...body, zip: '94104' })).status).toBe(409);
  });

  it('is delivered as it was posted after its field was renamed and relabelled', async () => {
    const lead = await decided({ home: { roof: 'flat' }, zip: '94105', grade: 9 });
    const before = await delivery(lead.trace.deliveries[0]?.deliveryId ?? '');
    await market.apply(yaml({ roof: 'roof_kind' }));
    const { fields } = await storedLead(market.database, lead.trace.lead.leadId);
    expect(fields?.own).toMatchObject({ roof: { value: 'flat', label: 'Roof' } });
    expect(await delivery(lead.trace.deliveries[0]?.deliveryId ?? '')).toEqual(before);
    expect((await post({ roof: 'flat' })).json.reason).toBe('roof_kind required');
    expect(soldTo(await decided({ home: { roof: 'flat' }, zip: '94105' }))).toEqual(['flat-roofs']);
    await market.apply(yaml());
  });

  it('loses all own fields when it is erased', async () => {
    const lead = await decided({ home: { roof: 'flat' }, zip: '94105', born: '1977-07-07', grade: 4242 });
    const { leadId } = lead;
    await market.database.tx((tx) => eraseDataSubjects(tx, { leadIds: [leadId], audit: null }, new Date()));
    const after = await market.database.tx((tx) => traceLead(tx, leadId));
    expect(after?.lead.fields).toBeNull();
    const tables = await market.testDatabase.database.pool.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
    );
    const holding: string[] = [];
    for (const { name } of tables.rows) {
      const { rows } = await market.testDatabase.database.pool.query(
        `SELECT 1 FROM "${name}" t WHERE t::text LIKE '%1977-07-07%' OR t::text LIKE '%"value":4242%' LIMIT 1`,
      );
      if (rows.length > 0) holding.push(name);
    }
    expect(holding).toEqual([]);
  });
});

async function delivery(deliveryId: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${summit}` };
  const { status, json } = await call(`${market.url}/api/v1/buyer/leads/${deliveryId}`, { headers });
  if (status !== 200) throw new Error(`${status} for ${deliveryId}`);
  return json;
}
