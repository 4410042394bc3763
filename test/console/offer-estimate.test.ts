// The estimate of the leads that an offer would see, from the latest leads, while its form is edited (contract 7.5).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { postLead } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { leadBody } from '../support/leads.ts';
import { select } from '../support/ledger-faults.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import type { SignedIn } from '../support/signed-in.ts';

const PATH = '/console/api/offer-estimate';
const YAML = `
verticals:
  - { key: roofing, name: Roofing, fields: [{ name: zip, label: Zip, type: zip }] }
suppliers:
  - { key: acme, status: approved }
  - { key: roofers, status: approved, vertical: roofing }
partners:
  - { key: summit, channels: [], offers: [{ key: summit-ca, eventType: Lead Sale, payout: 40, filters: { states: [CA] } }] }
`;
const ANY = {
  ...{
    states: [],
    statesNot: [],
    debtAmount: { min: null, max: null },
    minScore: null,
    suppliers: [],
    suppliersNot: [],
  },
  ...{ sources: [], sourcesNot: [], requireConsent: false, requireEmail: false, requirePhone: false, fields: {} },
};

let market: TestMarketplace;
let anna: SignedIn;

beforeAll(async () => {
  market = await startTestMarketplace({ yaml: YAML });
  anna = await market.signedIn.operator('anna');
  const keys = { acme: await market.supplierKey('acme'), roofers: await market.supplierKey('roofers') };
  for (const [serial, supplier, more] of [
    [1, 'acme', { state: 'CA' }],
    [2, 'acme', { state: 'CA' }],
    [3, 'acme', { state: 'NY' }],
    [4, 'acme', { state: 'NY' }],
    [5, 'acme', { state: 'CA', test: true }],
    [6, 'roofers', { state: 'CA', zip: '94110' }],
  ] as const) {
    await postLead(market.url, keys[supplier], { ...leadBody(serial), ...more });
  }
  // Rejected: it has no state.
  await postLead(market.url, keys.acme, { ...leadBody(7), state: 'nowhere' });
  await eventually('the leads are decided', async () => {
    const [row] = await select<{ n: number }>(
      market.database,
      `SELECT count(*) AS n FROM lead WHERE NOT is_test AND public_status IN ('Lead Sale', 'No Buyer')`,
    );
    return row?.n === 5;
  });
});
afterAll(() => market.close());

const estimate = (filters: object, more: object = {}, who = anna) =>
  who.send('POST', PATH, {
    ...{ offer: null, vertical: null, price: 45, filters: { ...ANY, ...filters }, ...more },
  });
const weekly = async (filters: object, more?: object) => (await estimate(filters, more)).json.weekly;

describe('The estimate of an offer’s leads', () => {
  it('counts the leads that match, and those without a buyer or sold for less, without test leads and rejected ones', async () => {
    const { status, json } = await estimate({});
    expect([status, json]).toEqual([200, { leads: 5, days: 7, weekly: { matching: 4, bought: 0, winnable: 4 } }]);
  });

  it('follows the filters: half of the leads by state, none without their supplier, and those of the vertical alone', async () => {
    expect(await weekly({ states: ['NY'] })).toEqual({ matching: 2, bought: 0, winnable: 2 });
    expect(await weekly({ statesNot: ['NY'], suppliersNot: ['acme'] })).toEqual({
      matching: 0,
      bought: 0,
      winnable: 0,
    });
    expect(await weekly({ fields: { zip: { in: ['941*'] } } }, { vertical: 'roofing' })).toMatchObject({ matching: 1 });
    expect(await weekly({ fields: { zip: { in: ['10001'] } } }, { vertical: 'roofing' })).toMatchObject({
      matching: 0,
    });
  });

  it('compares the price with what was paid, and sets the sales of the offer itself apart', async () => {
    expect(await weekly({ states: ['CA'] }, { price: 40 })).toEqual({ matching: 2, bought: 0, winnable: 0 });
    expect(await weekly({ states: ['CA'] }, { price: 40.01 })).toEqual({ matching: 2, bought: 0, winnable: 2 });
    expect(await weekly({}, { offer: 'summit-ca' })).toEqual({ matching: 4, bought: 2, winnable: 2 });
    expect(await weekly({}, { price: null })).toEqual({ matching: 4, bought: 0, winnable: null });
  });

  it('stores nothing', async () => {
    const rows = await select<{ n: number }>(market.database, 'SELECT count(*) AS n FROM simulation');
    expect(rows[0]?.n).toBe(0);
  });

  it.each([
    ['no filters', { filters: null }],
    ['states that are no list', { filters: { ...ANY, states: 'CA' } }],
    ['a filter on an own field that is no condition', { filters: { ...ANY, fields: { zip: { in: { a: 1 } } } } }],
    ['a price that is a text', { price: 'much' }],
    ['a price below zero', { price: -1 }],
  ])('refuses %s', async (_what, more) => expect((await estimate({}, more)).status).toBe(422));

  it('refuses text that is not JSON', async () => {
    const response = await anna.send('POST', PATH, '{"filters":', { 'content-type': 'application/json' });
    expect(response.status).toBe(400);
  });

  it('is only for operators who may configure', async () => {
    const kim = await market.signedIn.operator('kim', 'support');
    expect((await estimate({}, {}, kim)).status).toBe(403);
  });
});
