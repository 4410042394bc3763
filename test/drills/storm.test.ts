// Tests two API processes and two workers on one database, three of them killed while suppliers post: at the end every lead has one
// outcome, and no limit is exceeded (contract 4, 8.7).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type DeliveryId, type LeadId, typeId } from '../../src/base/ids.ts';
import { chance } from '../support/chance.ts';
import { ledgerFaults, leadsByStatus, select } from '../support/ledger-faults.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { DRAW_SEED, DRAWN_BY } from '../support/drawn.ts';
import { eventually } from '../support/eventually.ts';
import { faultLines } from '../support/fault-lines.ts';
import { connectSupplier, type IngestResponse, leadBody, type Supplier } from '../support/leads.ts';
import { type Receiver, type Reply, startReceiver } from '../support/receiver.ts';
import {
  type Env,
  killServers,
  openMarketplace,
  runLeadmarket,
  type ServerProcess,
  startServer,
} from '../support/server-process.ts';
import { zoneAtNoon } from '../support/zone-at-noon.ts';

const LEADS = DRAWN_BY === 'all' ? 3000 : 1200;
/** The number of contacts that two suppliers post, and every fifth of them all three. */
const REPEATED = LEADS / 6;
/** So many leads later the second and third supplier post every other one of them. */
const LATER = LEADS / 8;
const CLIENTS = 48;
const SUPPLIERS = ['acme', 'bolt', 'corral'];
const PAY = ['{ model: share, percent: 60 }', '{ model: fixed, amount: 12.00 }', '{ model: none }'];
const STATES = ['CA', 'CA', 'CA', 'NV', 'NV', 'WA', 'OH', 'TX', 'FL', 'NY'];

/** The number of leads that each limited offer can buy. The budget is for 20 at 50.00, the balance for 30 at 10.00. */
const CAPACITY = { dual: 60, few: 30, thrifty: 20, prepaid: 30, calls: 16 };
/** Endpoints that reject leads for good free slots. */
const PICKY_CAP = LEADS / 20;

// In three days: one such day lies between the notice and the horizon, at any time of the test and in any zone.
const bookingDay = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'][(new Date().getUTCDay() + 3) % 7];
const booking = `{ availability: { days: [${bookingDay}], from: "10:00", to: "14:00" }, slotMinutes: 30, capacity: 2, noticeMinutes: 60, horizonDays: 6 }`;

/** The offers for each state are independent of the others, so that their results are known. New York has no buyer. */
const OFFERS: ReadonlyArray<readonly [key: string, offer: string, more?: string]> = [
  ['alone', 'payout: 45.50, filters: { states: [CA] }, caps: { daily: 100000 }', 'webhook'],
  ['dual', `payout: 30.00, filters: { states: [NV] }, sale: { sharedWith: 2 }, caps: { monthly: ${CAPACITY.dual} }`],
  ['both', 'payout: 20.00, filters: { states: [NV] }, sale: { sharedWith: 2 }', 'webhook'],
  ['half', 'payout: 10.00, filters: { states: [NV] }, sale: { sharedWith: 2 }'],
  ['few', `payout: 90.00, filters: { states: [WA] }, caps: { weekly: ${CAPACITY.few} }`],
  ['thrifty', 'payout: 50.00, filters: { states: [WA] }, budget: { monthly: 1000.00 }'],
  ['prepaid', 'payout: 10.00, filters: { states: [OH] }', 'billing: { mode: prepaid }'],
  ['calls', `payout: 120.00, filters: { states: [TX] }, booking: ${booking}`],
  ['picky', `payout: 60.00, filters: { states: [FL] }, caps: { daily: ${PICKY_CAP} }`, 'webhook'],
  ['second', 'payout: 25.00, filters: { states: [FL] }'],
];

/** Each offer is the only one of a partner of the same name. */
const marketplaceFile = (origin: string): string => `
# One partner refuses many leads in a row, which is no reason here to leave it alone.
marketplace: { holdMinutes: 0, retrySeconds: [0, 0, 1, 1, 1, 1, 1, 1, 1, 1], breaker: { failures: 1000 } }
suppliers:
${SUPPLIERS.map((key, index) => `  - { key: ${key}, status: approved, pay: ${PAY[index % PAY.length]}, rateLimit: { perSecond: 100000, burst: 100000 } }`).join('\n')}
partners:
${OFFERS.map(
  ([key, offer, more = '']) => `
  - key: ${key}
    timeZone: ${zoneAtNoon()}
    ${more === 'webhook' ? `channels: [webhook]\n    settings: { webhookUrl: "${origin}/${key}" }` : more}
    offers: [{ key: ${key}, eventType: ${key === 'calls' ? 'Calendar Assigned' : 'Lead Sale'}, ${offer} }]`,
).join('')}
`;

type Posting = { readonly supplier: string; readonly state: string; readonly body: Record<string, unknown> };

/** Contacts posted more than once are repeated at once or later. */
function allPostings(): Posting[] {
  const placed: Array<{ posting: Posting; place: number }> = [];
  for (let person = 0; placed.length < LEADS; person += 1) {
    const times = person >= REPEATED ? 1 : person % 5 === 0 ? 3 : 2;
    const state = STATES[person % STATES.length] ?? '';
    for (const [index, supplier] of SUPPLIERS.slice(0, times).entries()) {
      const body = leadBody(person, { external_id: `${supplier}-${person}`, state });
      placed.push({ posting: { supplier, state, body }, place: person + (person % 2) * index * LATER });
    }
  }
  return placed
    .slice(0, LEADS)
    .toSorted((one, other) => one.place - other.place)
    .map(({ posting }) => posting);
}

/** An API process with a connection for each supplier. */
type ApiProcess = { readonly server: ServerProcess; readonly suppliers: ReadonlyMap<string, Supplier> };

const postings = allPostings();
const refusedOnce = new Set<string>();
let home: TestDatabase;
let receiver: Receiver;
let env: Env;
let keys: ReadonlyMap<string, string>;
let apiProcesses: ApiProcess[];
let workers: ServerProcess[];
/** By external id: the lead's id in the response. */
const acknowledged = new Map<string, string>();

const start = (role: string): Promise<ServerProcess> => startServer(env, { argv: ['serve', '--role', role] });

async function openApiProcess(): Promise<ApiProcess> {
  const server = await start('api');
  const connect = (key: string): Supplier => connectSupplier(server.url, { key, connections: CLIENTS });
  return { server, suppliers: new Map([...keys].map(([supplier, key]) => [supplier, connect(key)])) };
}

async function closeApiProcess({ suppliers }: ApiProcess): Promise<void> {
  for (const supplier of suppliers.values()) await supplier.close();
}

beforeAll(async () => {
  home = await createTestDatabase();
  receiver = await startReceiver({ respond: ({ headers, path }) => respondAt(path, String(headers['webhook-id'])) });
  env = { DATABASE_URL: home.url, WEBHOOK_ALLOW_TARGETS: receiver.origin };
  await openMarketplace(env, marketplaceFile(receiver.origin), { keyFor: 'acme' });
  const issued = SUPPLIERS.map(async (key) => {
    const { json } = await runLeadmarket(env, 'key', 'issue', '--supplier', key, '--json');
    return [key, String(json.key)] as const;
  });
  keys = new Map(await Promise.all(issued));
  const payment = ['ledger', 'post', '--partner', 'prepaid', '--type', 'payment', '--amount', '300.00'];
  await runLeadmarket(env, ...payment);
  [apiProcesses, workers] = await Promise.all([
    Promise.all([openApiProcess(), openApiProcess()]),
    Promise.all([start('worker'), start('worker')]),
  ]);
});

afterAll(async () => {
  for (const apiProcess of apiProcesses ?? []) await closeApiProcess(apiProcess);
  await killServers();
  await receiver.close();
  await home.drop();
});

/** One endpoint rejects a quarter for good; the others fail once for some. */
function respondAt(path: string, webhookId: string): Reply {
  if (path === '/picky') return { status: /[0-3]$/.test(webhookId) ? 400 : 200 };
  const isFirst = !refusedOnce.has(webhookId);
  if (/[0-3]$/.test(webhookId)) refusedOnce.add(webhookId);
  return { status: isFirst && refusedOnce.has(webhookId) ? 500 : 200 };
}

/** A supplier's program: it repeats a lead without a response at the other process, under the same external id. */
async function insist({ supplier, body }: Posting, turn: number): Promise<IngestResponse> {
  for (let attempt = turn; ; attempt += 1) {
    const apiProcess = apiProcesses[attempt % apiProcesses.length];
    try {
      const response = await apiProcess?.suppliers.get(supplier)?.post(body);
      if (response?.status === 202) return response;
      if (response?.status !== 503) throw new Error(`answered ${response?.status}: ${JSON.stringify(response?.json)}`);
    } catch (error) {
      // The connection broke; any other error is a fault.
      if (!(error instanceof Error) || !('code' in error)) throw error;
    }
  }
}

async function postEverything(): Promise<void> {
  let next = 0;
  const client = async (): Promise<void> => {
    for (let turn = next++; turn < postings.length; turn = next++) {
      const posting = postings[turn] as Posting;
      const { json } = await insist(posting, turn);
      acknowledged.set(String(posting.body['external_id']), json.lead_id);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
}

/** Kills one after the other, each at a random time in its third of the posting, and starts a replacement. */
async function killThree(): Promise<void> {
  const restarts: Array<Promise<void>> = [];
  const random = chance(DRAW_SEED);
  const moments: number[] = [];
  for (const [third, replace] of [() => replaceWorker(0), replaceApiProcess, () => replaceWorker(1)].entries()) {
    const moment = Math.floor(((third + 0.1 + random.below(800) / 1000) * LEADS) / 3);
    moments.push(moment);
    await eventually(`${moment} leads are acknowledged`, () => acknowledged.size >= moment);
    restarts.push(replace());
  }
  console.log(`killed after ${moments.join(', ')} of ${LEADS} leads, seed ${DRAW_SEED}`);
  await Promise.all(restarts);
}

async function replaceWorker(index: number): Promise<void> {
  workers[index]?.signal('SIGKILL');
  workers[index] = await start('worker');
}

async function replaceApiProcess(): Promise<void> {
  const broken = apiProcesses[0] as ApiProcess;
  broken.server.signal('SIGKILL');
  apiProcesses[0] = await openApiProcess();
  await closeApiProcess(broken);
}

type Sold = { readonly live: number; readonly failed: number };

async function soldByOffer(): Promise<Record<string, Sold>> {
  const rows = await select<Sold & { offerKey: string }>(
    home.database,
    `SELECT offer_key AS "offerKey", count(*) FILTER (WHERE status <> 'Failed')::int AS live,
            count(*) FILTER (WHERE status = 'Failed')::int AS failed FROM delivery GROUP BY 1`,
  );
  return Object.fromEntries(rows.map(({ offerKey, live, failed }) => [offerKey, { live, failed }]));
}

/** Ends leases of 40 s after five: what a living worker still sends then is sent again under the same id, as after the end of any lease. */
async function endLeases(): Promise<void> {
  const ended = await select(
    home.database,
    `UPDATE send_job SET due_at = now()
     WHERE attempt_id IS NOT NULL AND due_at BETWEEN now() AND now() + interval '35 s' RETURNING delivery_id`,
  );
  // A worker may sleep until the time of the lease.
  if (ended.length > 0) await select(home.database, `SELECT pg_notify('leadmarket_wakeup', 'sending')`);
}

const identitiesOf = (state: string): number =>
  new Set(postings.filter((posting) => posting.state === state).map(({ body }) => body['email'])).size;
const leadsOf = (state: string): number => postings.filter((posting) => posting.state === state).length;

/** Sales that break the rules: an exclusive sale beside another one, or a buyer that has a contact twice. */
const SOLD_TWICE = `
  SELECT email FROM (
    SELECT l.fields::json->>'email' AS email, d.buyer_key, d.is_exclusive FROM delivery d JOIN lead l USING (lead_id)
    WHERE d.status <> 'Failed') AS sold
  GROUP BY 1 HAVING count(DISTINCT buyer_key) < count(*) OR (bool_or(is_exclusive) AND count(*) > 1)`;

describe('Two API processes and two workers, of which three are killed while three suppliers post,', () => {
  it('have stored and decided every acknowledged lead once', async () => {
    await Promise.all([postEverything(), killThree()]);
    await eventually('every lead is decided', async () => {
      const waiting = await select(home.database, `SELECT FROM lead WHERE state IN ('received', 'held') LIMIT 1`);
      return waiting.length === 0;
    });
    const rows = await select<{ externalId: string; leadId: LeadId }>(
      home.database,
      'SELECT external_id AS "externalId", lead_id AS "leadId" FROM lead',
    );
    expect(acknowledged.size).toBe(LEADS);
    expect(new Map(rows.map(({ externalId, leadId }) => [externalId, typeId('lead', leadId)]))).toEqual(acknowledged);
    expect(rows).toHaveLength(LEADS);
  });

  // Messages of a dead worker are pending for the rest of its lease; no other job waits for that.
  it('have sold exactly up to caps, budgets, funds and calendars', async () => {
    const sold = await soldByOffer();
    for (const [offerKey, places] of Object.entries(CAPACITY)) {
      expect([offerKey, sold[offerKey]]).toEqual([offerKey, { live: places, failed: 0 }]);
    }
    const slots = await select<{ booked: number }>(
      home.database,
      `SELECT count(*)::int AS booked FROM delivery WHERE offer_key = 'calls' GROUP BY appointment_at`,
    );
    expect(slots.map(({ booked }) => booked)).toEqual(Array.from({ length: 8 }, () => 2));
    const [account] = await select(
      home.database,
      `SELECT balance_cents, held_cents FROM account WHERE account_key = 'buyer:prepaid'`,
    );
    expect(account).toEqual({ balance_cents: 0, held_cents: 0 });
    expect(sold['picky']?.live).toBeLessThanOrEqual(PICKY_CAP);
  });

  it('have sold no contact twice, and every contact for which there was a buyer', async () => {
    expect(await select(home.database, SOLD_TWICE)).toEqual([]);
    const sold = await soldByOffer();
    expect(sold['alone']).toEqual({ live: identitiesOf('CA'), failed: 0 });
    expect(sold['both']).toEqual({ live: identitiesOf('NV'), failed: 0 });
    expect(await ledgerFaults(home.database, { atRest: false })).toEqual([]);
  });

  it('have delivered everything one lease later, with a consistent ledger', async () => {
    await eventually('everything is delivered', async () => {
      await endLeases();
      return (await select(home.database, 'SELECT FROM send_job UNION ALL SELECT FROM routing_inbox')).length === 0;
    });
    expect(await ledgerFaults(home.database)).toEqual([]);
    expect(await select(home.database, SOLD_TWICE)).toEqual([]);
    const check = await runLeadmarket(env, 'ledger', 'check', '--json');
    expect(check).toMatchObject({ code: 0, json: { ok: true, difference: 0 } });

    const byState = await select<{ state: string; status: string; leads: number }>(
      home.database,
      `SELECT fields::json->>'state' AS state, public_status AS status, count(*)::int AS leads FROM lead GROUP BY 1, 2`,
    );
    const count = (state: string, status: string): number =>
      byState.find((row) => row.state === state && row.status === status)?.leads ?? 0;
    expect([count('CA', 'Lead Sale'), count('CA', 'Duplicate')]).toEqual([
      identitiesOf('CA'),
      leadsOf('CA') - identitiesOf('CA'),
    ]);
    expect(count('WA', 'Lead Sale')).toBe(CAPACITY.few + CAPACITY.thrifty);
    expect(count('OH', 'Lead Sale')).toBe(CAPACITY.prepaid);
    expect(count('TX', 'Calendar Assigned')).toBe(CAPACITY.calls);
    expect(count('NY', 'No Buyer')).toBe(leadsOf('NY'));
    // A lead that one endpoint has rejected is accepted by the other.
    expect(count('FL', 'No Buyer')).toBe(0);
    const statuses = await leadsByStatus(home.database);
    expect(Object.values(statuses).reduce((sum, leads) => sum + leads, 0)).toBe(LEADS);
  });

  it('have sent only sold leads, and each delivery under one id', async () => {
    const people = new Map<string, Set<string>>();
    for (const { headers, body } of receiver.requests) {
      const { data } = JSON.parse(body) as { data: { lead: { email: string } } };
      const webhookId = String(headers['webhook-id']);
      people.set(webhookId, (people.get(webhookId) ?? new Set()).add(data.lead.email));
    }
    expect([...people.values()].filter(({ size }) => size !== 1)).toEqual([]);
    const delivered = await select<{ deliveryId: DeliveryId; status: string }>(
      home.database,
      `SELECT delivery_id AS "deliveryId", status FROM delivery WHERE channel = 'webhook'`,
    );
    const known = new Map(delivered.map(({ deliveryId, status }) => [typeId('delivery', deliveryId), status]));
    expect([...people.keys()].filter((webhookId) => !known.has(webhookId))).toEqual([]);
    expect([...known].filter(([id, status]) => status === 'Confirmed' && !people.has(id))).toEqual([]);
  });

  it('have logged no faults, and met no deadlock', async () => {
    const living = [...workers, ...apiProcesses.map(({ server }) => server)];
    expect(living.flatMap(({ output }) => faultLines(output()))).toEqual([]);
    const deadlocks = 'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()';
    expect(await select(home.database, deadlocks)).toEqual([{ deadlocks: 0 }]);
  });
});
