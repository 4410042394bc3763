// Tests time passing over the whole service: caps that reset at the buyer's own midnight, Monday and first of the month, leads held until
// then, and contacts that may be sold again after thirty days (contract 4.4 to 4.6).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { LeadTrace } from '../../src/routing/trace-lead.ts';
import { ledgerFaults } from '../support/ledger-faults.ts';
import { eventually } from '../support/eventually.ts';
import { type HandClock, handClock } from '../support/hand-clock.ts';
import { connectSupplier, leadBody, type Supplier } from '../support/leads.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { traceOf } from '../support/trace.ts';

const DAY_MS = 86_400_000;

/** One slot a day for California, one a week for Nevada, one a month for Washington; no limit for Oregon. */
const yaml = `
marketplace: { holdMinutes: 15, dedupDays: 30 }
suppliers: [{ key: acme, status: approved, rateLimit: { perSecond: 100000, burst: 100000 } }]
partners:
  - key: summit
    timeZone: America/Los_Angeles
    offers:
      - { key: by-day, eventType: Lead Sale, payout: 10.00, filters: { states: [CA] }, caps: { daily: 1 } }
      - { key: by-week, eventType: Lead Sale, payout: 10.00, filters: { states: [NV] }, caps: { weekly: 1 } }
      - { key: by-month, eventType: Lead Sale, payout: 10.00, filters: { states: [WA] }, budget: { monthly: 10.00 } }
      - { key: always, eventType: Lead Sale, payout: 10.00, filters: { states: [OR] } }
`;

let clock: HandClock;
let market: TestMarketplace;
let supplier: Supplier;
let serial = 0;

beforeAll(async () => {
  // A Friday, ten in the morning in Los Angeles.
  clock = handClock('2026-11-20T18:00:00.000Z');
  market = await startTestMarketplace({ yaml, clock });
  supplier = connectSupplier(market.url, { key: await market.supplierKey('acme'), connections: 1 });
});

afterAll(async () => {
  await supplier.close();
  await market.close();
});

/** Posts a lead; returns its public status once it is decided, or its state while it is held. */
async function post(more: Record<string, unknown>): Promise<{ status: string; leadId: string }> {
  const { json } = await supplier.post(leadBody(++serial, more));
  const status = await eventually('there is a decision', async () => {
    const { decision, lead } = await trace(json.lead_id);
    return decision === null ? null : lead.state === 'held' ? 'held' : lead.status;
  });
  return { status, leadId: json.lead_id };
}

const trace = (leadId: string): Promise<LeadTrace> => traceOf(market.database, leadId);

// Time only goes forward: the tests run in this order.
describe.each([
  ['daily', 'CA', '2026-11-20T18:00:00.000Z', '2026-11-21T08:00:00.000Z', 'cap_reached'],
  ['weekly', 'NV', '2026-11-21T18:00:00.000Z', '2026-11-23T08:00:00.000Z', 'cap_reached'],
  ['monthly', 'WA', '2026-11-23T18:00:00.000Z', '2026-12-01T08:00:00.000Z', 'budget_reached'],
] as const)('The window of a %s cap', (_window, state, start, reset, code) => {
  it(`is full after one sale, and free again at ${reset}, which is midnight in the buyer’s zone`, async () => {
    clock.set(start);
    expect((await post({ state })).status).toBe('Lead Sale');
    const refused = await post({ state });
    expect(refused.status).toBe('No Buyer');
    const { decision } = await trace(refused.leadId);
    expect(decision?.offers.filter((offer) => offer.code === code)).toHaveLength(1);

    const opensAt = Date.parse(reset);
    clock.set(new Date(opensAt - 16 * 60_000).toISOString());
    expect((await post({ state })).status).toBe('No Buyer');
    // A few minutes are short enough to wait for.
    clock.set(new Date(opensAt - 14 * 60_000).toISOString());
    const held = await post({ state });
    expect(held.status).toBe('held');
    expect((await trace(held.leadId)).decision?.retryAt).toBe(reset);

    clock.set(reset);
    await eventually('the held lead is sold', async () => (await trace(held.leadId)).lead.state === 'routed');
    expect((await trace(held.leadId)).deliveries).toMatchObject([{ deliveredAt: reset, status: 'Confirmed' }]);
    clock.advance(60_000);
    expect((await post({ state })).status).toBe('No Buyer');
    expect(await ledgerFaults(market.database)).toEqual([]);
  });
});

describe('A contact', () => {
  it('is not sold twice within thirty days by phone or mailbox, and may be sold afterwards', async () => {
    clock.set('2027-01-04T18:00:00.000Z');
    const email = 'one.person@example.com';
    const phone = '+15554440000';
    expect((await post({ state: 'OR', email, phone })).status).toBe('Lead Sale');
    clock.advance(30 * DAY_MS - 1);
    expect((await post({ state: 'OR', email: 'One.Person+tag@EXAMPLE.com' })).status).toBe('Duplicate');
    expect((await post({ state: 'OR', phone: '+1 (555) 444-0000' })).status).toBe('Duplicate');
    clock.advance(2);
    expect((await post({ state: 'OR', email, phone })).status).toBe('Lead Sale');
    expect((await post({ state: 'OR', phone })).status).toBe('Duplicate');
    expect(await ledgerFaults(market.database)).toEqual([]);
  });
});
