// Tests the callbacks to suppliers: one message in the queue for each requested event, without data of the buyers (contract 5.8).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { type LeadId, typeId, uuidOf } from '../../src/base/ids.ts';
import { ledgerFaults, select } from '../support/ledger-faults.ts';
import { eventually } from '../support/eventually.ts';
import { type HandClock, handClock } from '../support/hand-clock.ts';
import { connectSupplier, leadBody, type Supplier } from '../support/leads.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { traceOf } from '../support/trace.ts';

const START = '2026-11-20T18:00:00.000Z';

/** The requested events by supplier. */
const INPUTS = {
  curious: ['lead.processing_error', 'lead.routed', 'lead.rejected', 'lead.returned'],
  anxious: ['lead.processing_error'],
  proud: ['lead.routed'],
  gloomy: ['lead.rejected'],
  silent: null,
};
type SupplierKey = keyof typeof INPUTS;
const supplierKeys = Object.keys(INPUTS) as SupplierKey[];

/** A rejection is final at the first attempt. */
const marketplaceFile = (origin: string): string => `
marketplace: { holdMinutes: 15, retrySeconds: [0], breaker: { failures: 1000 } }
suppliers:
${supplierKeys
  .map((key) => {
    const events = INPUTS[key];
    const callback = events === null ? '' : `, callback: { url: "${origin}/told", events: [${events.join(', ')}] }`;
    return `  - { key: ${key}, status: approved, rateLimit: { perSecond: 100000, burst: 100000 }${callback} }`;
  })
  .join('\n')}
partners:
  - { key: harbor, offers: [{ key: harbor-plain, eventType: Lead Sale, payout: 41.17, filters: { states: [CA, WA] } }] }
  - key: fickle
    channels: [webhook]
    settings: { webhookUrl: "${origin}/refused" }
    offers: [{ key: fickle-first, eventType: Lead Sale, payout: 77.31, filters: { states: [WA, OR] } }]
  - key: deaf
    channels: [webhook]
    settings: { webhookUrl: "${origin}/lost" }
    offers: [{ key: deaf-ear, eventType: Lead Sale, payout: 63.29, filters: { states: [ID] } }]
  - key: late
    timeZone: UTC
    offers:
      - key: late-show
        eventType: Calendar Assigned
        payout: 98.53
        filters: { states: [NV] }
        schedule: { days: [fri], from: "18:10", to: "20:00" }
        booking: { availability: { days: [sat], from: "10:00", to: "12:00" }, slotMinutes: 30, capacity: 9, noticeMinutes: 0, horizonDays: 7 }
`;

/** Names, offers and prices of buyers, which no message may contain. */
const SECRETS = /harbor|fickle|deaf|late|4117|7731|6329|9853|41\.17|77\.31|63\.29|98\.53/;
const MEMBERS = 'external_id,lead_id,occurredAt,reason,status';

/** Sending removes a message from the queue, so a copy of each is kept. */
const KEEP = `
  CREATE TABLE kept_message (supplier_key text, channel text, type text, data json, occurred_at timestamptz);
  CREATE FUNCTION keep_message() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO kept_message VALUES (NEW.owner_key, NEW.channel, NEW.type, NEW.data::json, NEW.occurred_at); RETURN NEW; END $$;
  CREATE TRIGGER keep_message BEFORE INSERT ON message_job FOR EACH ROW WHEN (NEW.owner_kind = 'supplier')
    EXECUTE FUNCTION keep_message()`;

type Callback = { type: string; status: string; reason: string | null };

let clock: HandClock;
let receiver: Receiver;
let market: TestMarketplace;
let suppliers: Map<string, Supplier>;
let serial = 0;

beforeAll(async () => {
  receiver = await startReceiver({
    respond: ({ path }) => (path === '/lost' ? 'reset' : { status: path === '/told' ? 200 : 400 }),
  });
  clock = handClock(START);
  market = await startTestMarketplace({
    yaml: marketplaceFile(receiver.origin),
    clock,
    allowTargets: [receiver.origin],
  });
  await select(market.database, KEEP);
  const connected = supplierKeys.map(async (key) => {
    const secret = await market.supplierKey(key);
    return [key, connectSupplier(market.url, { key: secret, connections: 1 })] as const;
  });
  suppliers = new Map(await Promise.all(connected));
});

afterAll(async () => {
  for (const supplier of suppliers.values()) await supplier.close();
  await market.close();
  await receiver.close();
});

beforeEach(() => clock.set(START));

/** Returns the lead's id. A lead of a new contact, unless `more` names one. */
async function post(supplier: SupplierKey, state: string, more: Record<string, unknown> = {}): Promise<string> {
  const response = await suppliers
    .get(supplier)
    ?.post(leadBody(++serial, { state, consent_timestamp: undefined, ...more }));
  expect(response?.status).toBe(202);
  return response?.json.lead_id ?? '';
}

/** Waits until the lead has this final state. */
const becomes = (leadId: string, state: string, decisions = 1): Promise<unknown> =>
  eventually(`the lead is ${state}`, async () => {
    const { lead, decision, deliveries } = await traceOf(market.database, leadId);
    const isCarried = deliveries.every(({ status }) => status !== 'Pending');
    return lead.state === state && decision?.round === decisions && isCarried;
  });

async function seen(leadId: string): Promise<Callback[]> {
  return select<Callback>(
    market.database,
    `SELECT type, data ->> 'status' AS status, data ->> 'reason' AS reason FROM kept_message
     WHERE data ->> 'lead_id' = $1 ORDER BY type, occurred_at`,
    [leadId],
  );
}

const routed: Callback = { type: 'lead.routed', status: 'Lead Sale', reason: null };
const rejected = (status: string, reason: string): Callback[] => [
  { type: 'lead.processing_error', status, reason },
  { type: 'lead.rejected', status, reason },
];

/** The events that this supplier requested, of all events. */
const wanted = (supplier: SupplierKey, events: readonly Callback[]): Callback[] =>
  events.filter(({ type }) => INPUTS[supplier]?.includes(type));

describe.each(supplierKeys)('The supplier with callbacks for %s is notified as requested', (supplier) => {
  it('of a lead that is sold', async () => {
    const leadId = await post(supplier, 'CA');
    await becomes(leadId, 'routed');
    expect(await seen(leadId)).toEqual(wanted(supplier, [routed]));
  });

  it('of a lead without a buyer', async () => {
    const leadId = await post(supplier, 'TX');
    await becomes(leadId, 'rejected');
    expect(await seen(leadId)).toEqual(wanted(supplier, rejected('No Buyer', 'no_buyer')));
  });

  it('of a lead whose contact was sold before', async () => {
    await becomes(await post(supplier, 'CA'), 'routed');
    const leadId = await post(supplier, 'CA', { ...leadBody(serial), external_id: `again-${serial}` });
    await becomes(leadId, 'rejected');
    expect(await seen(leadId)).toEqual(wanted(supplier, rejected('Duplicate', 'duplicate')));
  });

  it('of a lead that goes to another buyer after a rejection: once, of the sale', async () => {
    const leadId = await post(supplier, 'WA');
    await becomes(leadId, 'routed', 2);
    expect((await traceOf(market.database, leadId)).deliveries).toHaveLength(2);
    expect(await seen(leadId)).toEqual(wanted(supplier, [routed]));
  });

  it('of a lead that every buyer has rejected: of the sale, and of the rejection', async () => {
    const leadId = await post(supplier, 'OR');
    await becomes(leadId, 'rejected', 2);
    const [error, rejection] = rejected('No Buyer', 'no_buyer') as [Callback, Callback];
    expect(await seen(leadId)).toEqual(wanted(supplier, [error, rejection, routed]));
  });

  it('of a lead that a buyer may have received: of the sale', async () => {
    const leadId = await post(supplier, 'ID');
    await becomes(leadId, 'routed');
    expect((await traceOf(market.database, leadId)).deliveries).toMatchObject([{ status: 'Failed' }]);
    expect(await seen(leadId)).toEqual(wanted(supplier, [routed]));
  });

  it('of a lead that is held: only of the decision after it', async () => {
    const leadId = await post(supplier, 'NV');
    await becomes(leadId, 'held');
    expect(await seen(leadId)).toEqual([]);
    clock.advance(10 * 60_000);
    await becomes(leadId, 'routed', 2);
    expect(await seen(leadId)).toEqual(wanted(supplier, [{ ...routed, status: 'Calendar Assigned' }]));
  });

  it.each(['CA', 'TX', 'NV'])('of a test lead from %s: never', async (state) => {
    const leadId = await post(supplier, state, { test: true });
    await becomes(leadId, { CA: 'routed', TX: 'rejected', NV: 'held' }[state] ?? '');
    expect(await seen(leadId)).toEqual([]);
  });
});

describe('A lead that could not be processed', () => {
  it('is reported to its supplier, unless it is a test lead', async () => {
    // Held, so that there is time to corrupt the stored lead.
    const leads = new Map<SupplierKey, string>();
    for (const supplier of supplierKeys) leads.set(supplier, await post(supplier, 'NV'));
    const testLead = await post('curious', 'NV', { test: true });
    const all = [...leads.values(), testLead];
    for (const leadId of all) await becomes(leadId, 'held');
    const ids = all.map((leadId) => uuidOf('lead', leadId));
    await select(market.database, `UPDATE lead SET fields = 'spoilt ' || fields WHERE lead_id = ANY($1::uuid[])`, [
      ids,
    ]);
    await eventually('they have failed for good', async () => {
      clock.advance(60_000);
      const dead = await select<{ leadId: LeadId }>(
        market.database,
        `SELECT payload->>'leadId' AS "leadId" FROM dead_job WHERE name = 'route-lead'`,
      );
      return dead.length === all.length;
    });
    const error = { type: 'lead.processing_error', status: 'Pending', reason: 'processing_failed' };
    for (const [supplier, leadId] of leads) expect(await seen(leadId)).toEqual(wanted(supplier, [error]));
    expect(await seen(testLead)).toEqual([]);
  });
});

describe('The message to a supplier', () => {
  it('contains the supplier, the lead and its outcome, and neither buyer nor price', async () => {
    const rows = await select<{
      supplier: string;
      channel: string;
      data: Record<string, unknown>;
      at: Date;
      lead: string;
    }>(
      market.database,
      `SELECT supplier_key AS supplier, channel, data, occurred_at AS at, data ->> 'lead_id' AS lead FROM kept_message`,
    );
    const leads = await select<{ leadId: LeadId; owner: string; named: string; received: Date }>(
      market.database,
      'SELECT lead_id AS "leadId", supplier_key AS owner, external_id AS named, received_at AS received FROM lead',
    );
    const byId = new Map(leads.map((lead) => [typeId('lead', lead.leadId), lead]));
    expect(rows.length).toBeGreaterThan(supplierKeys.length * 4);
    for (const { supplier, channel, data, at, lead } of rows) {
      expect(Object.keys(data).toSorted().join()).toBe(MEMBERS);
      const { owner, named, received } = byId.get(lead) ?? {};
      expect([supplier, channel, data['external_id'], data['occurredAt']]).toEqual([
        owner,
        'webhook',
        named,
        at.toISOString(),
      ]);
      expect(at >= (received ?? at)).toBe(true);
      // Ids have random digits, which may contain those of a price.
      expect(JSON.stringify({ ...data, lead_id: '' })).not.toMatch(SECRETS);
    }
    expect(await ledgerFaults(market.database, { atRest: false })).toEqual([]);
  });
});
