// Verticals and fields that are renamed, removed and closed while leads of them wait to be sold or delivered (contract 14.1).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { postLead } from '../support/api-client.ts';
import { eventually } from '../support/eventually.ts';
import { type HandClock, handClock } from '../support/hand-clock.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { ignoreSubmittedBodies } from '../support/openapi/watch-responses.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { traceOf } from '../support/trace.ts';

let clock: HandClock;
let market: TestMarketplace;
let receiver: Receiver;
let isUp = false;

const offer = (key: string, vertical: string, filters = '{}') =>
  `{ key: ${key}, vertical: ${vertical}, eventType: Lead Sale, payout: 9, caps: { daily: 1 }, filters: ${filters} }`;

const yaml = (verticals: string, roofFilter: string) => `
marketplace: { holdMinutes: 60, dedupDays: 0 }
verticals:${verticals}
suppliers:
  - { key: sunny, status: approved, vertical: solar, verticals: [auto] }
partners:
  - key: summit
    timeZone: UTC
    channels: [webhook]
    settings: { webhookUrl: "${receiver.origin}/leads" }
    offers:
      - ${offer('roofs', 'solar', roofFilter)}
      - ${offer('cars', 'auto')}
`;

const BEFORE = `
  - { key: solar, fields: [{ name: roof, type: enum, values: [flat, tile] }, { name: bill, type: money }] }
  - { key: auto, name: Cars, fields: [{ name: vin, label: Chassis, required: true }, { name: seats, type: integer }] }`;
/** Of solar a field is renamed and one removed; auto is closed, renamed, and its fields are others. */
const AFTER = `
  - { key: solar, fields: [{ name: roof_kind, type: enum, values: [flat, tile] }] }
  - { key: auto, name: Vehicles, status: closed, fields: [{ name: seats, type: text, delivered: false }] }`;

beforeAll(async () => {
  ignoreSubmittedBodies();
  // Ten minutes before the daily caps are new.
  clock = handClock('2026-11-20T23:50:00.000Z');
  receiver = await startReceiver({ respond: () => ({ status: isUp ? 204 : 503 }) });
  const text = yaml(BEFORE, '{ fields: { roof: { in: [flat] } } }');
  market = await startTestMarketplace({ yaml: text, clock, allowTargets: [receiver.origin] });
});
afterAll(async () => {
  await market?.close();
  await receiver?.close();
});

async function post(serial: number, own: object): Promise<string> {
  const body = { full_name: 'Jordan Rivera', email: `person-${serial}@example.com`, state: 'CA', ...own };
  const { json, text } = await postLead(market.url, await market.supplierKey('sunny'), body);
  if (typeof json.lead_id !== 'string') throw new Error(text);
  return json.lead_id;
}

const stateOf = async (leadId: string): Promise<string> => (await traceOf(market.database, leadId)).lead.state;
const inState = (leadId: string, state: string) =>
  eventually(`the lead is ${state}`, async () => ((await stateOf(leadId)) === state ? true : null));

/** The own fields of a lead as the partner's endpoint got them with the last request about it. */
async function deliveredFields(leadId: string): Promise<unknown> {
  const { deliveries } = await traceOf(market.database, leadId);
  const messages = receiver.requests.map(({ body }) => JSON.parse(body));
  return messages.findLast(({ data }) => data.deliveryId === deliveries[0]?.deliveryId)?.data.lead.fields;
}

describe('Leads that wait while their verticals change', () => {
  it('are delivered as they were posted, and only current filters decide on them', async () => {
    const [roofSold, carSold] = [
      await post(1, { roof: 'flat', bill: 90 }),
      await post(2, { vertical: 'auto', vin: 'A1' }),
    ];
    await Promise.all([inState(roofSold, 'routed'), inState(carSold, 'routed')]);
    const roofHeld = await post(3, { roof: 'flat', bill: 91.5 });
    const carHeld = await post(4, { vertical: 'auto', vin: 'A2', seats: 5 });
    await Promise.all([inState(roofHeld, 'held'), inState(carHeld, 'held')]);

    await market.apply(yaml(AFTER, '{ fields: { roof_kind: { in: [flat] } } }'));
    isUp = true;
    clock.advance(15 * 60_000);
    await Promise.all([inState(roofHeld, 'rejected'), inState(carHeld, 'routed')]);

    const { decision } = await traceOf(market.database, roofHeld);
    expect(decision?.offers.find(({ offerKey }) => offerKey === 'roofs')).toMatchObject({ code: 'field_missing' });
    await eventually('all are delivered', async () => {
      const fields = await Promise.all([roofSold, carSold, carHeld].map(deliveredFields));
      const statuses = await Promise.all(
        [roofSold, carSold, carHeld].map(async (id) => (await traceOf(market.database, id)).deliveries[0]?.status),
      );
      return statuses.every((status) => status === 'Confirmed') ? fields : null;
    });
    expect(await deliveredFields(roofSold)).toEqual({ roof: 'flat', bill: 90 });
    expect(await deliveredFields(carSold)).toEqual({ vin: 'A1' });
    expect(await deliveredFields(carHeld)).toEqual({ vin: 'A2', seats: 5 });
  });

  it('stay what they were on the console, under the new name of their vertical', async () => {
    const { json } = await (await market.signedIn.operator()).get('/console/api/leads?vertical=auto');
    expect(json.data.map(({ vertical }: { vertical: string }) => vertical)).toEqual(['Vehicles', 'Vehicles']);
    const { json: story } = await (await market.signedIn.operator()).get(`/console/api/leads/${json.data[1].leadId}`);
    expect(story.lead.fields.own).toEqual({ vin: { type: 'text', value: 'A1', label: 'Chassis' } });
  });

  it('are the last of a closed vertical', async () => {
    const body = { full_name: 'Jordan Rivera', email: 'late@example.com', state: 'CA', vertical: 'auto', vin: 'A3' };
    const { status, json } = await postLead(market.url, await market.supplierKey('sunny'), body);
    expect([status, json.reason]).toEqual([422, 'vertical invalid']);
  });
});
