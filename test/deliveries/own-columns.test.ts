// The columns that a partner gets for the fields of the verticals that it buys from, and the lead of its test delivery (contract 14.4).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { columnNames } from '../../src/deliveries/delivery-columns.rules.ts';
import { getAsBuyer, postAsBuyer } from '../support/api-client.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';

const SOLAR = `
  - key: solar
    name: Solar
    fields:
      - { name: roof_age, label: Age of the roof, type: integer, max: 8 }
      - { name: internal_note, delivered: false }
      - { name: bill, type: money, required: true }`;
const ROOFING = `
  - key: roofing
    fields: [{ name: bill, type: money }, { name: material, type: enum, values: [asphalt, tile] }]`;
const BUYERS = `
partners:
  - key: sunny
    betaTools: [test-delivery]
    offers: [{ key: sunny-solar, eventType: Lead Sale, payout: 40, vertical: solar, filters: { states: [CA] } }]
  - key: plain
    betaTools: [test-delivery]
    offers: [{ key: plain-debt, eventType: Lead Sale, payout: 40 }]`;

let market: TestMarketplace;
beforeAll(async () => {
  market = await startTestMarketplace({ yaml: `verticals:${SOLAR}${BUYERS}`, role: 'api' });
});
afterAll(() => market.close());

async function columnsOf(partner: string): Promise<unknown> {
  const token = await market.buyerToken(partner);
  const { json: config } = await getAsBuyer(market.url, token, '/api/v1/sheets-config');
  const { text: file } = await getAsBuyer(market.url, token, '/api/v1/buyer/export');
  const columns: string[] = config.columns;
  expect(file).toBe(`${columns.join(',')}\r\n`);
  expect(columns.slice(0, columnNames.length)).toEqual(columnNames);
  return columns.slice(columnNames.length);
}

async function testLeadOf(partner: string): Promise<unknown> {
  const token = await market.buyerToken(partner);
  const { json } = await postAsBuyer(market.url, token, '/api/v1/buyer/test-delivery', { body: { target: 'preview' } });
  return json.payload.data.lead.fields;
}

describe('A partner with verticals', () => {
  it('has columns for the delivered fields of the verticals that it buys from', async () => {
    expect(await columnsOf('sunny')).toEqual(['fields.roof_age', 'fields.bill']);
    expect(await columnsOf('plain')).toEqual([]);
  });

  it('gets a test delivery whose lead has the fields of the vertical, within their bounds', async () => {
    expect(await testLeadOf('sunny')).toEqual({ roof_age: 8, bill: 10 });
    expect(await testLeadOf('plain')).toBeUndefined();
  });

  it('keeps its columns where they are when fields are moved, renamed and removed, and when a vertical is added', async () => {
    await market.apply(`
verticals:${ROOFING}
  - key: solar
    name: Solar
    fields: [{ name: monthly_bill, type: money }, { name: roof_age, type: integer }]
partners:
  - key: sunny
    offers:
      - { key: sunny-solar, eventType: Lead Sale, payout: 40, vertical: solar }
      - { key: sunny-roofing, eventType: Lead Sale, payout: 40, vertical: roofing }`);
    expect(await columnsOf('sunny')).toEqual([
      ...['fields.roof_age', 'fields.bill', 'fields.material', 'fields.monthly_bill'],
    ]);
  });
});
