// Tests two worker processes that decide concurrently on one database: no cap is exceeded and no contact is sold twice (contract 4.4, 4.5).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { ledgerFaults, leadsByStatus, select } from '../support/ledger-faults.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { connectSupplier, leadBody, type Supplier } from '../support/leads.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import {
  type Env,
  killServers,
  openMarketplace,
  runLeadmarket,
  type ServerProcess,
  startServer,
} from '../support/server-process.ts';

/** Ten offers at one price, each with a separate daily cap and in all with one hundred slots. */
const CAPS = [3, 5, 7, 8, 9, 10, 11, 13, 15, 19];
/** 20 leads at 50.00. */
const BUDGET = 1000;
/** 30 leads at 10.00. */
const FUNDS = 300;

/**
 * The offers for each state are independent of each other. Two endpoints reject half of their leads, which frees slots; no breaker
 * opens for them after any number of random rejections in a row.
 */
const marketplaceFile = (origin: string): string => `
marketplace: { holdMinutes: 0, retrySeconds: [0], breaker: { failures: 1000 } }
suppliers: [{ key: acme, status: approved, rateLimit: { perSecond: 100000, burst: 100000 } }]
partners:
${CAPS.map(
  (cap, index) => `
  - key: buyer-${index}
    timeZone: America/Los_Angeles
    offers: [{ key: offer-${index}, eventType: Lead Sale, payout: 20.00, filters: { states: [CA] }, caps: { daily: ${cap} } }]`,
).join('')}
  - key: thrifty
    offers: [{ key: thrifty-all, eventType: Lead Sale, payout: 50.00, filters: { states: [NV] }, budget: { weekly: ${BUDGET} } }]
  - key: prepaid
    billing: { mode: prepaid }
    offers: [{ key: prepaid-all, eventType: Lead Sale, payout: 10.00, filters: { states: [WA] } }]
  - key: anyone
    offers: [{ key: anyone-all, eventType: Lead Sale, payout: 5.00, filters: { states: [NY] } }]
${['picky', 'choosy']
  .map(
    (key) => `
  - key: ${key}
    channels: [webhook]
    settings: { webhookUrl: "${origin}" }
    billing: { mode: postpaid, creditLimit: 100000 }
    offers: [{ key: ${key}-some, eventType: Lead Sale, payout: 30.00, filters: { states: [OH] }, caps: { monthly: 40 } }]`,
  )
  .join('')}
  - key: second
    offers: [{ key: second-choice, eventType: Lead Sale, payout: 25.00, filters: { states: [OH] }, caps: { monthly: 1000 } }]
`;

let home: TestDatabase;
let receiver: Receiver;
let servers: ServerProcess[];
let suppliers: readonly [Supplier, Supplier];
let serial = 0;

beforeAll(async () => {
  home = await createTestDatabase();
  receiver = await startReceiver({
    respond: ({ headers }) => ({ status: isRefused(String(headers['webhook-id'])) ? 400 : 200 }),
  });
  const env: Env = { DATABASE_URL: home.url, WEBHOOK_ALLOW_TARGETS: receiver.origin };
  const key = await openMarketplace(env, marketplaceFile(receiver.origin), { keyFor: 'acme' });
  const payment = ['ledger', 'post', '--partner', 'prepaid', '--type', 'payment', '--amount', `${FUNDS}.00`];
  await runLeadmarket(env, ...payment);
  servers = await Promise.all(
    ['api', 'worker', 'worker'].map((role) => startServer(env, { argv: ['serve', '--role', role] })),
  );
  const url = servers[0]?.url ?? '';
  const connect = (): Supplier => connectSupplier(url, { key, connections: 32 });
  suppliers = [connect(), connect()];
});

afterAll(async () => {
  for (const supplier of suppliers ?? []) await supplier.close();
  await killServers();
  await receiver.close();
  await home.drop();
});

/** Leads of different contacts, posted concurrently over both connections; resolves when all are decided and delivered. */
async function submit(count: number, state: string): Promise<void> {
  const bodies = Array.from({ length: count }, () => leadBody(++serial, { state }));
  const halves = [bodies.filter((_, index) => index % 2 === 0), bodies.filter((_, index) => index % 2 === 1)];
  const responses = await Promise.all(
    halves.map((half, index) => suppliers[index]?.postAll(half) ?? Promise.resolve([])),
  );
  expect(responses.flat().filter(({ status }) => status !== 202)).toEqual([]);
  await settled();
}

const settled = (): Promise<unknown> =>
  eventually('everything is decided and delivered', async () => {
    const rows = await select(home.database, 'SELECT FROM routing_inbox UNION ALL SELECT FROM send_job');
    return rows.length === 0;
  });

async function soldBy(...offerKeys: readonly string[]): Promise<number[]> {
  const rows = await select<{ offerKey: string; sold: number }>(
    home.database,
    `SELECT offer_key AS "offerKey", count(*) AS sold FROM delivery WHERE status = 'Confirmed' GROUP BY 1`,
  );
  return offerKeys.map((key) => rows.find(({ offerKey }) => offerKey === key)?.sold ?? 0);
}

describe('Two workers on one database', () => {
  it('sell exactly as many leads as ten offers have slots for, and each offer its own number', async () => {
    await submit(400, 'CA');
    expect(await soldBy(...CAPS.map((_, index) => `offer-${index}`))).toEqual(CAPS);
    expect(await leadsByStatus(home.database)).toEqual({ 'Lead Sale': 100, 'No Buyer': 300 });
    expect(await ledgerFaults(home.database)).toEqual([]);
  });

  it('spend a budget and a prepaid balance to the last cent and no further', async () => {
    await Promise.all([submit(200, 'NV'), submit(200, 'WA')]);
    expect(await soldBy('thrifty-all', 'prepaid-all')).toEqual([BUDGET / 50, FUNDS / 10]);
    const [account] = await select(
      home.database,
      `SELECT balance_cents, held_cents FROM account WHERE account_key = 'buyer:prepaid'`,
    );
    expect(account).toEqual({ balance_cents: 0, held_cents: 0 });
    expect(await ledgerFaults(home.database)).toEqual([]);
  });

  it('sell a contact once that is posted twice at the same instant', async () => {
    const before = await leadsByStatus(home.database);
    const pairs = Array.from({ length: 100 }, () => leadBody(++serial, { state: 'NY' }));
    await Promise.all(
      suppliers.map((supplier, index) =>
        supplier.postAll(
          pairs.map((body) => ({
            ...body,
            external_id: `${String(body['external_id'])} ${index}`,
            // The same mailbox in two spellings, and half of the time another phone.
            email: index === 0 ? body['email'] : String(body['email']).replace('@', '+b@').toUpperCase(),
            phone: index === 0 ? body['phone'] : serialPhone(),
          })),
        ),
      ),
    );
    await settled();
    const after = await leadsByStatus(home.database);
    expect((after['Lead Sale'] ?? 0) - (before['Lead Sale'] ?? 0)).toBe(100);
    expect(after['Duplicate']).toBe(100);
    const unpaired = await select(
      home.database,
      `SELECT split_part(external_id, ' ', 1) FROM lead WHERE external_id LIKE 'lead-% _' GROUP BY 1
       HAVING count(*) FILTER (WHERE public_status = 'Lead Sale') <> 1 OR count(*) FILTER (WHERE public_status = 'Duplicate') <> 1`,
    );
    expect(unpaired).toEqual([]);
    expect(await ledgerFaults(home.database)).toEqual([]);
  });

  it('free the slots of failed deliveries during concurrent sales, and lose no lead', async () => {
    await submit(400, 'OH');
    const [picky = 0, choosy = 0, second = 0] = await soldBy('picky-some', 'choosy-some', 'second-choice');
    // A rejected lead has gone to the next offer, like those for which no slot was left.
    expect(picky + choosy + second).toBe(400);
    expect(Math.max(picky, choosy)).toBeLessThanOrEqual(40);
    const refused = receiver.requests.filter(({ headers }) => isRefused(String(headers['webhook-id'])));
    expect(refused.length).toBeGreaterThan(0);
    expect(picky + choosy).toBe(receiver.requests.length - refused.length);
    expect(await ledgerFaults(home.database)).toEqual([]);
  });

  it('cause no deadlock and log no fault', async () => {
    const [statistics] = await select(
      home.database,
      'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
    );
    expect(statistics).toEqual({ deadlocks: 0 });
    expect(
      servers.map(({ output }) =>
        output()
          .split('\n')
          .filter((line) => line.startsWith('{')),
      ),
    ).toEqual([[], [], []]);
  });
});

const isRefused = (webhookId: string): boolean => /[0-9a-f]$/.test(webhookId);

function serialPhone(): string {
  return String(leadBody(++serial)['phone']);
}
