// Verticals at the console: their list with its use, errors at their fields, what closing one stops, the filter of lists, and the evidence
// of filters on own fields (contract 14.1, 14.3, 14.5).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { uuidOf } from '../../src/base/ids.ts';
import { postAsBuyer, postLead } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { ignoreSubmittedBodies } from '../support/openapi/watch-responses.ts';
import type { SignedIn } from '../support/signed-in.ts';
import { traceOf } from '../support/trace.ts';

const YAML = `
marketplace: { dedupDays: 0 }
verticals:
  - key: solar
    name: Solar roofs
    fields:
      - { name: roof, label: Roof, type: enum, values: [tile, metal, flat], required: true }
      - { name: bill, label: Monthly bill, type: money }
      - { name: zip, type: zip }
      - { name: born, label: Day of birth, type: date, personal: true }
      - { name: note, filterable: false, delivered: false }
  - key: auto
    name: Cars
suppliers:
  - { key: sunny, name: Sunny, status: approved, vertical: solar, verticals: [auto] }
  - { key: plain, name: Plain, status: approved }
partners:
  - key: summit
    name: Summit
    channels: []
    returnPolicy: { monthlyCaps: { leads: 9, bookings: 9 } }
    offers:
      - { key: roofs, vertical: solar, eventType: Lead Sale, payout: 9, filters: { fields: {
          roof: { in: [flat, tile] }, bill: { min: 100 }, zip: { in: ['941*'] }, born: { max: '2000-12-31' } } } }
      - { key: cars, vertical: auto, eventType: Lead Sale, payout: 9 }
      - { key: others, eventType: Lead Sale, payout: 9 }
`;

let market: TestMarketplace;
let ada: SignedIn;
let viewer: SignedIn;
const sold: Record<string, { readonly leadId: string; readonly deliveryId: string }> = {};

beforeAll(async () => {
  ignoreSubmittedBodies();
  market = await startTestMarketplace({ yaml: YAML });
  ada = await market.signedIn.operator('ada');
  viewer = await market.signedIn.operator('vera', 'read-only');
  const [sunny, plain] = [await market.supplierKey('sunny'), await market.supplierKey('plain')];
  sold['solar'] = await sell(sunny, aRoof('Solar Lead'));
  sold['auto'] = await sell(sunny, { vertical: 'auto', full_name: 'Car Lead' });
  // A member of the supplier's own that looks like the stored vertical is none.
  sold['none'] = await sell(plain, { full_name: 'Plain Lead', other: { a: 1, vertical: 'solar', z: 1 } });
});
afterAll(() => market.close());

const aRoof = (name: string) => ({
  ...{ roof: 'flat', bill: 120.5, zip: '94103', born: '1970-01-01', note: 'by phone' },
  full_name: name,
});

let posted = 0;
async function sell(key: string, lead: object) {
  posted += 1;
  const body = { email: `person-${posted}@example.com`, state: 'CA', ...lead };
  const { json, text } = await postLead(market.url, key, body);
  const leadId = json.lead_id as string;
  if (uuidOf('lead', leadId) === null) throw new Error(text);
  return eventually('the lead is delivered', async () => {
    const [delivery] = (await traceOf(market.database, leadId)).deliveries;
    return delivery?.status === 'Confirmed' ? { leadId, deliveryId: delivery.deliveryId } : null;
  });
}

async function file(lead: string, reason: string): Promise<string> {
  const body = { deliveryId: sold[lead]?.deliveryId, reason, proof: 'Not what we buy.' };
  const { json } = await postAsBuyer(market.url, await market.buyerToken('summit'), '/api/v1/buyer/returns', { body });
  return json.returnId as string;
}

const preview = async (fragment: object) =>
  (await ada.send('POST', '/console/api/configuration/preview', { fragment })).json;

describe('The verticals of the console', () => {
  it('say who posts into them and how many offers buy from them', async () => {
    const { json } = await viewer.get('/console/api/verticals');
    expect(json.data).toMatchObject([
      { key: 'auto', name: 'Cars', status: 'active', fields: [], suppliers: ['sunny'], offers: 1 },
      { key: 'solar', name: 'Solar roofs', suppliers: ['sunny'], offers: 1 },
    ]);
    const { json: one } = await viewer.get('/console/api/verticals/solar');
    expect(one.vertical.fields[1]).toMatchObject({ name: 'bill', label: 'Monthly bill', type: 'money', min: null });
    expect((await viewer.get('/console/api/verticals/boats')).status).toBe(404);
  });

  it('report an error at its field, and a field that an offer still needs at the vertical', async () => {
    const fields = [
      { name: 'roof', type: 'enum', values: [] },
      { name: 'Bill', type: 'money', min: 'x' },
    ];
    const { faults } = await preview({ verticals: [{ key: 'auto', fields }] });
    expect(faults.map(({ path }: { path: string }) => path)).toEqual([
      'verticals[0].fields[0].values',
      'verticals[0].fields[1].name',
      'verticals[0].fields[1].min',
    ]);
    const { faults: needed } = await preview({ verticals: [{ key: 'solar', fields: [] }] });
    expect(needed).toHaveLength(4);
    expect(needed[0]).toMatchObject({
      path: 'verticals[0].key',
      message: expect.stringContaining('the offer "roofs"'),
    });
  });

  it('say what stops when one is closed', async () => {
    const { changes, notes } = await preview({ verticals: [{ key: 'solar', status: 'closed' }] });
    expect(changes).toMatchObject([{ kind: 'vertical', key: 'solar', fields: { status: { to: 'closed' } } }]);
    expect(notes).toEqual([
      'vertical solar: it is in use; once it is closed, leads of sunny that name no vertical are rejected; ' +
        'no new leads for the offer roofs',
    ]);
  });
});

describe('A dry run of a vertical', () => {
  it('says what a closed one and a filter would have changed, and keeps the change to go on with', async () => {
    const version = (await ada.get('/console/api/marketplace')).json.version as number;
    const filters = { fields: { bill: { min: 500 } } };
    const fragment = {
      verticals: [{ key: 'auto', status: 'closed' }],
      partners: [{ key: 'summit', offers: [{ key: 'roofs', filters }] }],
    };
    const body = { version, fragment, days: 1 };
    const { status, json } = await ada.send('POST', '/console/api/simulations', body);
    expect(status).toBe(202);
    const done = await eventually('it has ended', async () => {
      const { json: shown } = await ada.get(`/console/api/simulations/${json.id}`);
      return shown.state === 'running' ? null : shown;
    });
    // The closed one takes no more leads; those that it took were sold.
    expect(done).toMatchObject({ state: 'done', result: { leads: 3, differences: 1 } });
    const { json: input } = await ada.get(`/console/api/simulations/${json.id}/input`);
    expect(input.fragment).toEqual(fragment);
  });
});

describe('A list of leads, deliveries or claims', () => {
  const namesIn = async (query: string) =>
    (await ada.get(`/console/api/leads${query}`)).json.data.map((lead: { name: string }) => lead.name);

  it('names the vertical of a lead, and filters by it', async () => {
    const { json } = await ada.get('/console/api/leads');
    expect(json.data.map(({ vertical }: { vertical: string | null }) => vertical)).toEqual([
      ...[null, 'Cars', 'Solar roofs'],
    ]);
    expect(await namesIn('?vertical=solar')).toEqual(['Solar Lead']);
    expect(await namesIn('?vertical=solar&supplier=plain')).toEqual([]);
    expect(await namesIn('?vertical=auto')).toEqual(['Car Lead']);
    expect(await namesIn('?vertical=boats')).toEqual([]);
    const found = await ada.get('/console/api/leads?vertical=auto', { 'x-search': 'Lead' });
    expect(found.json.data.every(({ vertical }: { vertical: string }) => vertical === 'Cars')).toBe(true);
  });

  it('shows vertical and own fields in the story of a lead, personal ones only with the permission for them', async () => {
    const path = `/console/api/leads/${sold['solar']?.leadId}`;
    const { lead } = (await ada.get(path)).json;
    expect(lead).toMatchObject({ verticalName: 'Solar roofs', fields: { own: { born: { value: '1970-01-01' } } } });
    const masked = (await viewer.get(path)).json.lead.fields.own;
    expect(masked).toMatchObject({ roof: { value: 'flat' }, born: { value: '•••' } });
  });

  it('names the vertical of a failed delivery, and filters by it', async () => {
    await market.database.pool.query(
      `UPDATE delivery SET status = 'Failed', is_exclusive = false, failed_at = delivered_at, confirmed_at = NULL WHERE delivery_id = ANY($1)`,
      [[uuidOf('delivery', sold['auto']?.deliveryId ?? ''), uuidOf('delivery', sold['none']?.deliveryId ?? '')]],
    );
    const verticalsOf = async (query: string) =>
      (await ada.get(`/console/api/failed-deliveries${query}`)).json.data.map(
        ({ vertical }: { vertical: string | null }) => vertical,
      );
    expect((await verticalsOf('')).toSorted()).toEqual(['Cars', null]);
    expect(await verticalsOf('?vertical=auto')).toEqual(['Cars']);
    expect(await verticalsOf('?vertical=auto&partner=summit')).toEqual(['Cars']);
    expect(await verticalsOf('?vertical=solar')).toEqual([]);
    const sumsOf = async (query: string) => (await ada.get(`/console/api/failed-deliveries/sums${query}`)).json;
    expect(await sumsOf('?vertical=auto&partner=summit')).toMatchObject({ rows: 1, isAll: true });
    expect(await sumsOf('?vertical=solar')).toMatchObject({ rows: 0, isAll: true, amounts: { lost: 0 } });
  });

  it('names the vertical of a claim, filters by it, and keeps to it from one claim to the next', async () => {
    const first = await file('solar', 'bot');
    sold['more'] = await sell(await market.supplierKey('sunny'), { vertical: 'auto', full_name: 'Second Car' });
    const second = await file('more', 'bot');
    const claims = async (query: string) => (await ada.get(`/console/api/claims${query}`)).json;
    expect((await claims('')).data).toMatchObject([{ vertical: 'Solar roofs' }, { vertical: 'Cars' }]);
    expect(await claims('?vertical=auto')).toMatchObject({ total: 1, data: [{ id: second }] });
    expect(await claims('?vertical=auto&partner=summit&status=all')).toMatchObject({ total: 1 });
    expect((await claims(`/${first}`)).queue).toMatchObject({ open: 2, next: second });
    expect((await claims(`/${first}?vertical=solar`)).queue).toMatchObject({ open: 1, next: null, previous: null });
    expect((await claims(`/${second}?vertical=auto`)).queue).toMatchObject({ open: 1, next: null });
  });
});

describe('The evidence on a claim about filters', () => {
  beforeAll(async () => {
    const sunny = await market.supplierKey('sunny');
    sold['filter'] = await sell(sunny, aRoof('Wrong Roof'));
    sold['place'] = await sell(sunny, aRoof('Wrong Place'));
  });

  it('says for own fields what the lead had and what the offer wanted, without a personal value', async () => {
    const { json } = await ada.get(`/console/api/claims/${await file('filter', 'out_of_filter')}`);
    expect(json).toMatchObject({
      vertical: 'Solar roofs',
      evidence: { about: 'filters', offer: 'roofs', known: true },
    });
    expect(json.evidence.checks).toEqual([
      {
        filter: 'fields.bill',
        label: 'Monthly bill',
        wanted: { min: 100 },
        found: 120.5,
        holds: true,
      },
      {
        filter: 'fields.born',
        label: 'Day of birth',
        wanted: { max: '2000-12-31' },
        found: null,
        personal: true,
        holds: true,
      },
      { filter: 'fields.roof', label: 'Roof', wanted: { in: ['flat', 'tile'] }, found: 'flat', holds: true },
      { filter: 'fields.zip', wanted: { in: ['941*'] }, found: '94103', holds: true },
    ]);
    expect(json.lead.fields.own).toContainEqual({
      ...{ name: 'note', label: 'note', type: 'text', value: 'by phone', hidden: true, personal: false },
    });
    expect(JSON.stringify(json.evidence)).not.toContain('1970');
    const masked = (await viewer.get(`/console/api/claims/${json.id}`)).json.lead.fields.own;
    expect(masked).toContainEqual(expect.objectContaining({ name: 'born', value: '•••' }));
  });

  it('about the location has the ZIP codes', async () => {
    const { json } = await ada.get(`/console/api/claims/${await file('place', 'out_of_geo')}`);
    expect(json.evidence.checks).toMatchObject([{ filter: 'fields.zip', found: '94103', holds: true }]);
  });
});
