// A simulation with the configuration in force finds the past as it was, whatever happened in it; with another one it finds what a
// calculation by hand finds; and it writes nothing.
import type { DeliveryId } from '../../src/base/ids.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { StartedAttempt } from '../../src/deliveries/sending/begin-attempts.ts';
import type { SendOutcome } from '../../src/platform/outbound/send-outcome.ts';
import { ledgerFaults, select } from '../support/ledger-faults.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { broke } from '../support/sendings.ts';
import { openPast, type Past, status } from './past.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

let home: TestDatabase;
beforeEach(async () => {
  home = await createTestDatabase();
});
afterEach(() => home.drop());

const hook = 'channels: [webhook], settings: { webhookUrl: "https://crm.example.com/leads" }';

/** Something of everything: zones, hours, caps, budgets, pace, money in advance, both kinds of sale, appointments. */
const market = (strategy: string): string => `
marketplace: { strategy: ${strategy}, dedupDays: 2, holdMinutes: 45, retrySeconds: [0, 600, 7200, 36000] }
suppliers: [{ key: acme, status: approved, pay: { model: share, percent: 60, rules: [{ when: { states: [CA], minScore: 50 }, percent: 33.33 }] } }]
partners:
  - key: capped
    timeZone: America/Los_Angeles
    offers:
      - { key: capped-west, eventType: Lead Sale, payout: 50, filters: { states: [CA, NV] }, caps: { daily: 5, weekly: 22 } }
      - { key: capped-rest, eventType: Lead Sale, payout: 12, priority: 2, filters: { statesNot: [WA] }, caps: { daily: 4 } }
  - key: clock
    timeZone: America/New_York
    offers:
      - { key: clock-hours, eventType: Lead Sale, payout: 47, filters: { statesNot: [WA] }, schedule: { days: [mon, tue, wed, thu, fri, sat], from: "09:00", to: "17:30" }, budget: { daily: 329 } }
  - key: steady
    offers: [{ key: steady-even, eventType: Lead Sale, payout: 46, filters: { states: [NY, FL] }, caps: { daily: 12 }, pacing: even }]
  # One every twenty minutes, so that several at once have to queue.
  - key: queue
    offers: [{ key: queue-only, eventType: Lead Sale, payout: 30, filters: { states: [WA] }, caps: { daily: 72 }, pacing: even }]
  - key: advance
    billing: { mode: prepaid }
    offers: [{ key: advance-all, eventType: Lead Sale, payout: 44, filters: { statesNot: [TX, WA] } }]
  - { key: remote, ${hook}, billing: { mode: postpaid, creditLimit: 700 },
      offers: [{ key: remote-some, eventType: Lead Sale, payout: 48, filters: { states: [CA, TX] }, caps: { monthly: 60 } }] }
  - { key: gone, ${hook}, offers: [{ key: gone-some, eventType: Lead Sale, payout: 45, filters: { states: [NV, OH] } }] }
  - key: share-a
    offers: [{ key: share-a-two, eventType: Lead Sale, payout: 25, sale: { sharedWith: 2 }, filters: { statesNot: [WA] }, caps: { daily: 9 } }]
  - { key: share-b, ${hook}, offers: [{ key: share-b-three, eventType: Lead Sale, payout: 23, sale: { sharedWith: 3 }, filters: { statesNot: [WA] } }] }
  - key: share-c
    offers: [{ key: share-c-three, eventType: Lead Sale, payout: 21, sale: { sharedWith: 3 }, filters: { statesNot: [FL, WA] }, budget: { weekly: 400 } }]
  - key: booker
    timeZone: America/Denver
    offers:
      - key: booker-calls
        eventType: Calendar Assigned
        payout: 60
        filters: { states: [FL, OH] }
        caps: { daily: 7 }
        booking: { availability: [{ days: [mon, tue, thu, fri], from: "09:00", to: "11:00" }], slotMinutes: 30, capacity: 2, noticeMinutes: 60, horizonDays: 4 }
`;

const states = ['CA', 'NV', 'NY', 'FL', 'TX', 'OH'];

/** Uniform in 0 ≤ c < 1, and the same at every run. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const timeout = broke('unknown');

/** Nine days of it. */
async function live(past: Past, seed: number): Promise<void> {
  const chance = dice(seed);
  const aLead = (): { serial: number; [member: string]: unknown } => ({
    serial: Math.floor(chance() * 160),
    state: states[Math.floor(chance() * states.length)],
    test: chance() < 0.05,
    ...(chance() < 0.2 ? { email: `${Math.floor(chance() * 40)}@example.com` } : {}),
    ...(chance() < 0.3 ? { appointment_at: '2026-11-13T16:30:00Z' } : {}),
  });
  let stranger = 1000;
  const forTheQueue = (): { serial: number; state: string } => ({ serial: ++stranger, state: 'WA' });
  // One delivery is refused, or not answered, every time. Which one it is goes by turns rather than by its number: numbers are drawn by
  // several workers at once, and would leave to chance how much of each there is.
  const turns = new Map<string, number>();
  const met = { gone: 0, others: 0 };
  const response = ({ buyerKey, deliveryId }: StartedAttempt): SendOutcome => {
    const kind = buyerKey === 'gone' ? 'gone' : 'others';
    const turn = turns.get(deliveryId) ?? (met[kind] += 1);
    turns.set(deliveryId, turn);
    if (kind === 'gone') return status(turn % 9 === 0 ? 410 : 200);
    return turn % 4 === 0 ? status(400) : turn % 3 === 0 ? timeout : status(200);
  };
  const end = past.clock.now().getTime() + 9 * DAY_MS;
  await past.pay('advance', 20_000);
  for (let step = 1; past.clock.now().getTime() < end; step += 1) {
    past.clock.advance(1000 + Math.floor(chance() * 50 * MINUTE_MS));
    if (step % 23 === 0)
      await past.submit(...Array.from({ length: 20 }, aLead), ...Array.from({ length: 40 }, forTheQueue));
    else await past.submit(aLead());
    past.clock.advance(500);
    await past.route(step % 23 === 0 ? { workers: 4, limit: 4 } : {});
    past.clock.advance(500);
    if (chance() < 0.6) await past.send(response);
    past.clock.advance(500);
    if (step % 40 === 0) await past.pay('advance', 15_000);
    if (step % 55 === 0) await past.enable('gone');
    if (step % 31 === 0) {
      const [row] = await select<{ delivery_id: string }>(
        home.database,
        `SELECT delivery_id FROM delivery WHERE status = 'Confirmed' AND buyer_key IN ('advance', 'remote') ORDER BY delivery_id DESC LIMIT 1`,
      );
      if (row !== undefined) await past.takeBack(row.delivery_id as DeliveryId);
    }
  }
  await past.submit(aLead(), aLead());
}

/** A text for all that is stored. */
async function everything(): Promise<Record<string, unknown>> {
  const tables = await select<{ name: string }>(
    home.database,
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1`,
  );
  const sums: Record<string, unknown> = {};
  for (const { name } of tables) {
    const [row] = await select(
      home.database,
      `SELECT count(*) AS rows, md5(string_agg(t::text, '|' ORDER BY t::text)) AS text FROM "${name}" t`,
    );
    sums[name] = row;
  }
  sums['sequences'] = await select(home.database, 'SELECT sequencename, last_value FROM pg_sequences ORDER BY 1');
  return sums;
}

/** The simulation finds the past again, from so many days ago on. */
async function expectSame(past: Past, days: number, yaml: string): Promise<void> {
  const { leads, totals, partners, offers, suppliers, unsold, ...simulation } = await past.simulate(days, yaml);
  expect(simulation).toMatchObject({ days, differences: 0, erased: 0, configurationChanges: 0 });
  expect(totals.simulated).toEqual(totals.history);
  for (const { leads: sold, revenue, margin } of [...partners, ...offers, ...suppliers])
    expect([sold.to, revenue.to, margin.to]).toEqual([sold.from, revenue.from, margin.from]);
  const [counted] = await select<{ leads: number; cents: number }>(
    home.database,
    `SELECT count(DISTINCT lead_id) AS leads,
            (SELECT sum(payout_cents) FROM delivery WHERE delivered_at >= $1 AND status IN ('Pending', 'Confirmed'))::int8 AS cents
     FROM routing_decision r JOIN lead USING (lead_id) WHERE r.decided_at >= $1 AND NOT is_test`,
    [new Date(past.clock.now().getTime() - days * DAY_MS)],
  );
  expect({ leads, cents: Math.round(totals.history.revenue * 100) }).toEqual(counted);
  expect(unsold.reduce((sum, { from }) => sum + from, 0)).toBe(totals.history.rejected);
}

/** What has to have happened for the comparison to mean something. */
async function expectEventful(): Promise<void> {
  expect(await select(home.database, 'SELECT FROM delivery_cost WHERE cost_cents > 0 LIMIT 1')).toHaveLength(1);
  const codes = await select<{ code: string }>(
    home.database,
    `SELECT DISTINCT l->>1 AS code FROM routing_decision, json_array_elements(trace::json->'left') l`,
  );
  const all = [
    'budget_reached',
    'cap_reached',
    'duplicate',
    'funds_missing',
    'had_it_before',
    'outside_schedule',
    'over_pace',
  ];
  expect(codes.map(({ code }) => code)).toEqual(expect.arrayContaining(all));
  const [counts] = await select<Record<string, number>>(
    home.database,
    `SELECT (SELECT count(*) FROM routing_decision WHERE outcome = 'held') AS held,
            (SELECT count(*) FROM routing_decision WHERE trace::json->>'opensAt' IS NOT NULL) AS queued,
            count(*) FILTER (WHERE failed_at IS NOT NULL AND NOT may_have_arrived) AS failed,
            count(*) FILTER (WHERE may_have_arrived) AS uncertain,
            count(*) FILTER (WHERE appointment_at IS NOT NULL) AS booked,
            count(*) FILTER (WHERE returned_at IS NOT NULL) AS returned,
            (SELECT count(*) FROM config_history WHERE definition->>'endpointDisabledAt' IS NOT NULL) AS gone
     FROM delivery`,
  );
  expect(Object.entries(counts ?? {}).filter(([, count]) => count < 2)).toEqual([]);
}

describe.each([['price'], ['weighted'], ['round_robin']])(
  'A dry run with the current configuration and the strategy %s',
  (strategy) => {
    it('repeats the past exactly from any day on, and writes nothing', async () => {
      const past = openPast(home.database, '2026-11-06T05:00:00.000Z');
      await past.apply(market(strategy));
      await live(past, 20_261_106);
      expect(await ledgerFaults(home.database, { atRest: false })).toEqual([]);
      await expectEventful();
      const before = await everything();
      const yaml = await past.exported();

      for (const days of [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 90]) await expectSame(past, days, yaml);
      expect(await everything()).toEqual(before);
    });
  },
);

describe.each([['price'], ['weighted'], ['round_robin']])(
  'A dry run with failing endpoints and the strategy %s',
  (strategy) => {
    it('repeats the past exactly, including leads that were withheld from them', async () => {
      const past = openPast(home.database, '2026-11-10T05:00:00.000Z');
      const partner = (key: string, more: string): string =>
        `  - { key: ${key}, ${more}, offers: [{ key: ${key}-all, eventType: Lead Sale, payout: 40, caps: { daily: 30 } }] }`;
      await past.apply(`
marketplace: { strategy: ${strategy}, dedupDays: 2, holdMinutes: 15, breaker: { failures: 3, probeSeconds: 30 } }
suppliers: [{ key: acme, status: approved }]
partners:
${partner('frail', hook)}
${partner('shaky', hook)}
  - { key: haven, offers: [{ key: haven-all, eventType: Lead Sale, payout: 9, priority: 2 }] }
`);
      const chance = dice(20_261_110);
      // Each is away for some hours of the day, and for some of them both are.
      const isAway = (key: string): boolean => {
        const hour = past.clock.now().getUTCHours();
        return key === 'frail' ? hour % 12 < 4 : hour % 8 < 3;
      };
      // Enough for twice the outages needed: under the strategy by weight their number varies with the random ids of the leads.
      for (let serial = 1; serial <= 420; serial += 1) {
        past.clock.advance(1000 + Math.floor(chance() * 20 * MINUTE_MS));
        await past.submit({ serial });
        await past.route();
        await past.send(({ buyerKey }) => (isAway(buyerKey) ? timeout : status(200)));
      }
      expect(await ledgerFaults(home.database, { atRest: false })).toEqual([]);
      const [counts] = await select<{ outages: number; failing: number }>(
        home.database,
        `SELECT (SELECT count(*)::int FROM endpoint_outage WHERE closed_at IS NOT NULL) AS outages,
              (SELECT count(*)::int FROM routing_decision WHERE trace LIKE '%endpoint_failing%') AS failing`,
      );
      expect(counts?.outages).toBeGreaterThan(3);
      expect(counts?.failing).toBeGreaterThan(10);
      const yaml = await past.exported();
      for (const days of [1, 2, 3]) await expectSame(past, days, yaml);
    });
  },
);
