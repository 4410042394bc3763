// What a process does while nothing is due, and how it finds what has become due without a notification (decision 091).
import { afterEach, describe, expect, it } from 'vitest';

import { watchDueWork } from '../../src/app/watch-due-work.ts';
import type { Database, Query } from '../../src/platform/database/database.ts';
import type { Topic } from '../../src/platform/queue/wakeups.ts';
import { marketYaml, sampleLead } from '../contract/market.ts';
import { call } from '../support/api-client.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { handClock } from '../support/hand-clock.ts';
import { select } from '../support/ledger-faults.ts';
import { startTestMarketplace } from '../support/marketplace.ts';
import { startReceiver } from '../support/receiver.ts';

const opened: Array<() => Promise<void>> = [];
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close();
});

const NOON = '2026-11-21T12:00:00.000Z';
const LATER = '2026-11-21T12:05:00.000Z';
const ID = '00000000-0000-7000-8000-000000000001';

/** The version of a database without a marketplace file. */
const unchanged = { version: () => 1, refresh: () => Promise.reject(new Error('nothing has changed')) };

async function openDatabase(): Promise<TestDatabase> {
  const home = await createTestDatabase();
  opened.push(() => home.drop());
  return home;
}

/** Calls `onQuery` with the name of every statement, in transactions as well. */
function watched(database: Database, onQuery: (name: string) => void): Database {
  const watching =
    (query: Query): Query =>
    (statement, ...params) => {
      onQuery(statement.name);
      return query(statement, ...params);
    };
  return {
    ...database,
    query: watching(database.query),
    tx: (work, options) => database.tx((tx) => work({ query: watching(tx.query) }), options),
  };
}

describe('The look for due work', () => {
  it.each<readonly [what: string, topic: Topic, sql: string]>([
    [
      'a lead in the routing inbox',
      'routing',
      `INSERT INTO routing_inbox (due_at, lead_id, supplier_key) VALUES ('${LATER}', '${ID}', 'acme')`,
    ],
    [
      'a job of an endpoint, also behind jobs of others that are due later',
      'sending',
      `INSERT INTO send_job (delivery_id, channel, buyer_key, due_at, purpose)
       VALUES ('${ID}', 'webhook', 'summit', '${LATER}', 'replay'), ('${ID}', 'email', 'summit', '2026-11-22T00:00Z', 'sale'),
              ('${ID}', 'sms', 'harbor', '2026-11-22T00:00Z', 'sale')`,
    ],
    [
      'a message',
      'callbacks',
      `INSERT INTO message_job (message_id, owner_kind, owner_key, channel, type, data, occurred_at, due_at)
       VALUES ('${ID}', 'supplier', 'acme', 'webhook', 'lead.decided', '{}', '${NOON}', '${LATER}')`,
    ],
    [
      'a notice to send',
      'callbacks',
      `INSERT INTO notice_send (send_id, recipient_kind, recipient_key, channel, is_digest, due_at)
       VALUES ('${ID}', 'buyer', 'summit', 'email', false, '${LATER}')`,
    ],
    [
      'a request for a link to a new password',
      'callbacks',
      `INSERT INTO password_link_request (email, requested_at, due_at) VALUES ('dana@summit.example', '${NOON}', '${LATER}')`,
    ],
  ])('wakes the loops of %s when it becomes due, and no others', async (_what, topic, sql) => {
    const home = await openDatabase();
    const clock = handClock(NOON);
    const woken = new Set<Topic>();
    let looks = 0;
    const database = watched(home.database, () => (looks += 1));
    const watch = watchDueWork({
      ...{ database, clock, everyMs: 5 },
      wakeups: { wakeHere: (one) => void woken.add(one) },
      watch: unchanged,
      onFault(error) {
        throw error;
      },
    });
    opened.push(() => watch.stop());
    await select(home.database, sql);
    const before = looks;
    await eventually('it has looked', () => looks > before + 3);
    expect([...woken]).toEqual([]);
    clock.set(LATER);
    await eventually('it wakes', () => woken.size > 0);
    expect([...woken]).toEqual([topic]);
  });

  it('finds a notice that was raised and has no messages yet', async () => {
    const home = await openDatabase();
    await select(
      home.database,
      `INSERT INTO notice (notice_id, kind, recipient_kind, recipient_key, occurrence, data, raised_at)
       VALUES ('${ID}', 'endpoint.disabled', 'buyer', 'summit', 'once', '{}', '${LATER}')`,
    );
    const woken = new Set<Topic>();
    const watch = watchDueWork({
      ...{ database: home.database, clock: handClock(NOON), everyMs: 5 },
      wakeups: { wakeHere: (one) => void woken.add(one) },
      watch: unchanged,
      onFault(error) {
        throw error;
      },
    });
    opened.push(() => watch.stop());
    await eventually('it wakes', () => woken.size > 0);
    expect([...woken]).toEqual(['callbacks']);
  });

  it('goes on after an error of the database', async () => {
    const home = await openDatabase();
    const faults: unknown[] = [];
    let fails = true;
    let looks = 0;
    const database: Pick<Database, 'query'> = {
      query(statement, ...params) {
        looks += 1;
        return fails ? Promise.reject(new Error('away')) : home.database.query(statement, ...params);
      },
    };
    const watch = watchDueWork({
      ...{ database, clock: handClock(NOON), everyMs: 5 },
      wakeups: { wakeHere: () => undefined },
      watch: unchanged,
      onFault: (error) => faults.push(error),
    });
    opened.push(() => watch.stop());
    await eventually('it has failed twice', () => faults.length >= 2);
    fails = false;
    const before = looks;
    await eventually('it looks again', () => looks > before + 2);
    expect(new Set(faults.map(String))).toEqual(new Set(['Error: away']));
  });
});

describe('A process without anything to do', () => {
  it('takes over the configuration that another process has changed', async () => {
    const market = await startTestMarketplace({ yaml: marketYaml() });
    opened.push(() => market.close());
    const headers = { 'x-api-key': await market.supplierKey('acme-media') };
    const post = async (): Promise<number> =>
      (await call(`${market.url}/api/v1/ingest`, { method: 'POST', body: sampleLead(1), headers })).status;
    expect(await post()).toBe(202);
    await select(
      market.database,
      `WITH suspended AS (UPDATE supplier SET status = 'suspended' WHERE supplier_key = 'acme-media')
       UPDATE marketplace SET config_version = config_version + 1`,
    );
    await eventually('it is in use', async () => (await post()) === 403);
  });

  it('asks the database a few things a second, all of them about what could be due', async () => {
    const home = await openDatabase();
    const asked: string[] = [];
    const database = watched(home.database, (name) => asked.push(name));
    const market = await startTestMarketplace({ yaml: marketYaml(), on: { ...home, database } });
    opened.push(() => market.close());
    const looksIn = (names: readonly string[]): number => names.filter((name) => name === 'app.due_work').length;
    const first = await eventually('it has looked', () => looksIn(asked) > 0 && asked.length);
    const began = performance.now();
    await eventually('it has looked several times', () => looksIn(asked.slice(first)) >= 6);
    const elapsedMs = performance.now() - began;
    const idle = asked.slice(first);
    const others = idle.filter((name) => name !== 'app.due_work' && name !== 'marketplace.readVersion');
    // The report of the process every ten seconds, and one round of each loop every thirty; not a round of six loops each second.
    expect(others.length, others.join()).toBeLessThanOrEqual(20 * Math.ceil(elapsedMs / 30_000));
  });

  it('routes and delivers what another process has queued without a notification, and tries again when that is due', async () => {
    let fails = true;
    const receiver = await startReceiver({ respond: () => ({ status: fails ? 503 : 200 }) });
    opened.push(() => receiver.close());
    const home = await openDatabase();
    // Moving this clock wakes no loop.
    const hand = handClock(NOON);
    const clock = { now: hand.now };
    const yaml = marketYaml().replace(
      'timeZone: America/Los_Angeles\n    channels: []',
      `timeZone: America/Los_Angeles\n    channels: [webhook]\n    settings: { webhookUrl: "${receiver.origin}/leads" }`,
    );
    const options = { yaml, clock, allowTargets: [receiver.origin] };
    const worker = await startTestMarketplace({ ...options, on: home, role: 'worker' });
    opened.push(() => worker.close());
    const api = await startTestMarketplace({ ...options, on: home, role: 'api', isAlone: true });
    opened.push(() => api.close());
    const headers = { 'x-api-key': await api.supplierKey('acme-media') };
    const posted = await call(`${api.url}/api/v1/ingest`, { method: 'POST', body: sampleLead(1), headers });
    expect(posted.status).toBe(202);
    await eventually('it is sent', () => receiver.requests.length === 1);
    fails = false;
    const isLogged = async (): Promise<boolean> =>
      (await select(home.database, 'SELECT FROM send_job WHERE attempt_id IS NULL AND steps = 1')).length === 1;
    await eventually('the attempt is stored', isLogged);
    hand.advance(10_000);
    await eventually('it is sent again', () => receiver.requests.length === 2);
    await eventually(
      'it is confirmed',
      async () => (await select(home.database, `SELECT FROM delivery WHERE confirmed_at IS NOT NULL`)).length === 1,
    );
  });
});
