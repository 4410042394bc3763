// Kills the whole service repeatedly while suppliers post and endpoints respond: no acknowledged lead is lost, sold twice or charged twice
// (contract 8.6).
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { useEmbeddedEngine } from '../../src/platform/database/embedded-engine.ts';
import { type Database, openDatabase } from '../../src/platform/database/database.ts';
import { call } from '../support/api-client.ts';
import { chance } from '../support/chance.ts';
import { DRAW_SEED, DRAWN_BY } from '../support/drawn.ts';
import { ledgerFaults, leadsByStatus, select } from '../support/ledger-faults.ts';
import { eventually } from '../support/eventually.ts';
import { faultLines } from '../support/fault-lines.ts';
import { connectSupplier, leadBody, type Supplier } from '../support/leads.ts';
import { type Receiver, type Reply, startReceiver } from '../support/receiver.ts';
import {
  type Env,
  killServers,
  openMarketplace,
  makeDataDir,
  runLeadmarket,
  type ServerProcess,
  startServer,
} from '../support/server-process.ts';

const LEADS = DRAWN_BY === 'all' ? 3000 : 600;
const CONNECTIONS = 64;
const KILLS = 3;

/** One partner gets leads by webhook, another reads the API only, a third has a small cap; Texas has no buyer. */
const marketplaceFile = (origin: string): string => `
marketplace: { retrySeconds: [0, 0, 1, 1, 1, 1, 1, 1, 1, 1] }
suppliers: [{ key: acme, status: approved, rateLimit: { perSecond: 100000, burst: 100000 } }]
partners:
  - key: summit
    channels: [webhook]
    settings: { webhookUrl: "${origin}/summit" }
    offers: [{ key: summit-all, eventType: Lead Sale, payout: 45.50, filters: { states: [CA] }, caps: { daily: 100000 } }]
  - key: harbor
    offers: [{ key: harbor-all, eventType: Lead Sale, payout: 40.00, filters: { states: [NV] } }]
  - key: lakeside
    channels: [webhook]
    settings: { webhookUrl: "${origin}/lakeside" }
    billing: { mode: postpaid, creditLimit: 100000 }
    offers: [{ key: lakeside-few, eventType: Lead Sale, payout: 99.00, filters: { states: [CA] }, caps: { monthly: 100 } }]
`;

const STATES = ['CA', 'CA', 'CA', 'CA', 'NV', 'NV', 'TX'];

/** Every eighth is an earlier contact under another external id. */
function bodyOf(serial: number): Record<string, unknown> {
  const person = serial % 8 === 7 ? serial - 7 : serial;
  return leadBody(person, { external_id: `lead-${serial}`, state: STATES[person % STATES.length] });
}

type Sold = { readonly webhookId: string; readonly email: string };

let receiver: Receiver;
let env: Env;
let server: ServerProcess;
let key: string;
let secrets: string[];
/** All messages with a valid signature, including repetitions. */
const received: Sold[] = [];
const receivedIds = new Set<string>();
const { path: dataDir, remove } = makeDataDir();

beforeAll(async () => {
  receiver = await startReceiver({
    respond: ({ headers, body, path }) => take(headers as Record<string, string>, body, path),
  });
  env = { DATA_DIR: dataDir, WEBHOOK_ALLOW_TARGETS: receiver.origin };
  server = await startServer(env);
  key = await openMarketplace(env, marketplaceFile(receiver.origin), { keyFor: 'acme' });
  const shown = await Promise.all(
    ['summit', 'lakeside'].map((partner) => runLeadmarket(env, 'secret', 'show', '--partner', partner, '--json')),
  );
  secrets = shown.map(({ json }) => json.secret);
});

afterAll(async () => {
  await killServers();
  await receiver.close();
  remove();
});

/** Every fifth delivery is rejected once, so that retries are pending when the service is killed. */
function take(headers: Record<string, string>, body: string, path: string): Reply {
  const secret = secrets[path === '/summit' ? 0 : 1] ?? '';
  const { data } = new Webhook(secret).verify(body, headers) as { data: { lead: { email: string } } };
  const webhookId = String(headers['webhook-id']);
  const isFirst = !receivedIds.has(webhookId);
  receivedIds.add(webhookId);
  received.push({ webhookId, email: data.lead.email });
  return { status: isFirst && /[0-5]$/.test(webhookId) ? 500 : 200 };
}

/** A supplier's program: it repeats a lead without a response under the same external id until it has one. */
async function insist(supplier: () => Supplier, body: object): Promise<string> {
  for (;;) {
    const mine = supplier();
    try {
      const { status, json } = await mine.post(body);
      if (status === 202) return json.lead_id;
      if (status !== 503) throw new Error(`answered ${status}: ${JSON.stringify(json)}`);
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error)) throw error;
      // The connection broke. A retry is useless before the service is up again.
      await eventually('there is another server', () => supplier() !== mine);
    }
  }
}

describe('The service, killed while it receives and delivers leads,', () => {
  it('keeps every acknowledged lead, sells each once, and charges every delivered one', async () => {
    let supplier = connectSupplier(server.url, { key, connections: CONNECTIONS });
    /** By serial number: the id in the response. */
    const acknowledged = new Map<number, string>();
    let next = 0;
    const client = async (): Promise<void> => {
      while (next < LEADS) {
        const serial = next++;
        acknowledged.set(serial, await insist(() => supplier, bodyOf(serial)));
      }
    };
    const clients = Promise.all(Array.from({ length: CONNECTIONS }, client));

    const random = chance(DRAW_SEED);
    for (let kill = 0; kill < KILLS; kill += 1) {
      // At any moment of each part of the run, except the very end, so that leads can be lost.
      const moment = Math.floor(((kill + 0.1 + random.below(800) / 1000) * LEADS) / KILLS);
      console.log(`kills after ${moment} of ${LEADS} leads, seed ${DRAW_SEED}`);
      await eventually(`${moment} leads are acknowledged`, () => acknowledged.size >= moment);
      server.signal('SIGKILL');
      await server.ended;
      server = await startServer(env);
      const broken = supplier;
      supplier = connectSupplier(server.url, { key, connections: CONNECTIONS });
      await broken.close();
    }
    await clients;
    expect(new Set(acknowledged.values()).size).toBe(LEADS);

    await withDatabase(async (database) => {
      await eventually('everything is decided and delivered', async () => {
        const [rest] = await select<{ jobs: string }>(
          database,
          `SELECT (SELECT count(*) FROM routing_inbox) + (SELECT count(*) FROM send_job) AS jobs`,
        );
        return Number(rest?.jobs) === 0;
      });
      expect(await ledgerFaults(database)).toEqual([]);
      await compareWithResponses(database, acknowledged);
      await compareWithReceived(database);
      const stats = await call(`${server.url}/api/v1/supplier/stats`, { headers: { 'x-api-key': key } });
      expect(stats.json.byStatus).toEqual(await leadsByStatus(database));
      expect(stats.json.totals).toMatchObject({ submitted: LEADS, pending: 0 });
    });
    const check = await runLeadmarket(env, 'ledger', 'check', '--json');
    expect(check).toMatchObject({ code: 0, json: { ok: true, difference: 0 } });
    await supplier.close();
  });

  it('continues its jobs at once after a restart, without waiting for the leases of the dead process', async () => {
    const before = receiver.requests.length;
    // The service dies while the buyer's endpoint has the lead and has not responded.
    const hold = Promise.withResolvers<Reply>();
    const slow = await startReceiver({
      respond: (request) => (request === slow.requests[0] ? hold.promise : { status: 200 }),
    });
    const slowYaml = `
partners:
  - key: slow
    channels: [webhook]
    settings: { webhookUrl: "${slow.origin}" }
    offers: [{ key: slow-all, eventType: Lead Sale, payout: 1.00, filters: { states: [OH] } }]
`;
    const slowEnv = { ...env, WEBHOOK_ALLOW_TARGETS: `${receiver.origin},${slow.origin}` };
    server.signal('SIGTERM');
    await server.ended;
    key = await openMarketplace(slowEnv, slowYaml, { keyFor: 'acme' });
    server = await startServer(slowEnv);
    const supplier = connectSupplier(server.url, { key, connections: 1 });
    const { json } = await supplier.post(leadBody(LEADS, { state: 'OH' }));
    await eventually('the lead is on its way', () => slow.requests.length === 1);
    server.signal('SIGKILL');
    await server.ended;
    // As if the lease lasted for an hour: a process that waits for its end never delivers the lead here.
    await withDatabase((database) =>
      select(database, `UPDATE send_job SET due_at = due_at + interval '1 hour' WHERE attempt_id IS NOT NULL`),
    );
    server = await startServer(slowEnv);
    const seen = await eventually('it is delivered', async () => {
      const { json: trace } = await runLeadmarket(slowEnv, 'lead', 'trace', json.lead_id, '--json');
      return trace.deliveries[0].status === 'Confirmed' ? trace : null;
    });
    expect(seen.attempts[0]).toMatchObject({ attempt: 1, state: 'failed', error: 'interrupted', responseCode: null });
    // On a busy machine an attempt may take longer than its time limit; another one follows, under the same id.
    expect(seen.attempts.length).toBeGreaterThanOrEqual(2);
    expect(seen.attempts.at(-1)).toMatchObject({ state: 'succeeded', responseCode: 200 });
    expect(new Set(slow.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(seen.ledger).toHaveLength(1);
    expect(receiver.requests.length).toBe(before);
    await supplier.close();
    await slow.close();
    server.signal('SIGTERM');
    expect(await server.ended).toEqual({ code: 0, signal: null });
    // A restart after a kill is not a fault.
    expect(faultLines(server.output())).toEqual([]);
  });
});

async function compareWithResponses(database: Database, acknowledged: ReadonlyMap<number, string>): Promise<void> {
  const listed = await select<{ externalId: string; state: string; deliveries: number }>(
    database,
    `SELECT external_id AS "externalId", state, count(d.delivery_id) AS deliveries
     FROM lead LEFT JOIN delivery d USING (lead_id) GROUP BY lead.lead_id`,
  );
  expect(listed.map(({ externalId }) => externalId).toSorted()).toEqual(
    [...acknowledged.keys()].map((serial) => `lead-${serial}`).toSorted(),
  );
  // No endpoint rejects for good here, so that each lead with a buyer has one delivery.
  expect(listed.filter(({ state, deliveries }) => deliveries !== (state === 'routed' ? 1 : 0))).toEqual([]);
  const statuses = await leadsByStatus(database);
  const texasLeads = Array.from(acknowledged.keys(), bodyOf).filter(({ state }) => state === 'TX').length;
  expect(statuses['No Buyer']).toBe(texasLeads);
  const repeated = new Set(
    Array.from(acknowledged.keys(), bodyOf)
      .filter(({ state }) => state !== 'TX')
      .map(({ email }) => email),
  );
  expect(statuses['Lead Sale']).toBe(repeated.size);
  expect(statuses['Duplicate']).toBe(LEADS - texasLeads - repeated.size);
}

async function compareWithReceived(database: Database): Promise<void> {
  const confirmed = await select<{ deliveryId: string; buyerKey: string }>(
    database,
    `SELECT delivery_id AS "deliveryId", buyer_key AS "buyerKey" FROM delivery WHERE status = 'Confirmed' AND channel = 'webhook'`,
  );
  expect(confirmed.filter(({ buyerKey }) => buyerKey === 'lakeside')).toHaveLength(100);
  // Every confirmed delivery arrived, nothing else arrived, and no contact arrived under two ids.
  const ids = receivedIds.size;
  expect(ids).toBe(confirmed.length);
  expect(new Set(received.map(({ webhookId, email }) => `${webhookId} ${email}`)).size).toBe(ids);
  expect(new Set(received.map(({ email }) => email)).size).toBe(ids);
}

async function withDatabase(work: (database: Database) => Promise<unknown>): Promise<void> {
  const engine = await useEmbeddedEngine({ dataDir, log: () => {} });
  const database = openDatabase({ connection: engine.connection, connections: 2 });
  try {
    await work(database);
  } finally {
    await database.close();
    await engine.release();
  }
}
