// Tests the reads from a replica with two real servers: a primary and a streaming standby made from it.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';

import { loadConfig } from '../../src/platform/config.ts';
import { type Database, openDatabase, statement, type Tx } from '../../src/platform/database/database.ts';
import { type EmbeddedEngine, useEmbeddedEngine } from '../../src/platform/database/embedded-engine.ts';
import { migrate } from '../../src/platform/database/migrate.ts';
import { openReads, type ReadFrom, type Reads } from '../../src/platform/database/replica.ts';
import { behindWall, forTenant } from '../../src/platform/database/tenant.ts';
import { parseFile } from '../../src/marketplace-file/parse-file.ts';
import { simulateFile } from '../../src/simulation/simulate-file.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { examine } from '../../src/platform/doctor.ts';
import { call, getAsBuyer, postLead } from '../support/api-client.ts';
import type { TestDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { leadBody } from '../support/leads.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';
import { quickFolder } from '../support/quick-folder.ts';
import { type Standby, startStandby } from '../support/standby.ts';

const WIDE = '{ perSecond: 100000, burst: 100000 }';
const partner = (key: string, state: string): string => `
  - key: ${key}
    name: ${key}
    timeZone: America/Los_Angeles
    channels: []
    editableFields: [notificationEmail]
    betaTools: [audit-log]
    rateLimit: ${WIDE}
    offers: [{ key: ${key}-all, name: All, eventType: Lead Sale, payout: 45.00, filters: { states: [${state}] }, caps: { daily: 500 } }]`;
const YAML = `
suppliers: [{ key: acme, name: Acme, status: approved, rateLimit: ${WIDE} }]
partners:${partner('summit', 'CA')}${partner('harbor', 'TX')}${partner('delta', 'NY')}
`;
/** No test takes as long, so a paused standby stays within it. */
const LONG_S = 300;

const countDeliveries = statement<void, { count: number }>('test.deliveries', 'SELECT count(*) AS count FROM delivery');
const addNote = statement<{ readonly name: string }>(
  'test.add_note',
  'INSERT INTO own_change (owner, position) VALUES ($name, pg_current_wal_lsn())',
);
const findNote = statement<{ readonly name: string }, { owner: string }>(
  'test.find_note',
  'SELECT owner FROM own_change WHERE owner = $name',
);

let folder: string;
let engine: EmbeddedEngine;
let primary: pg.Client;
let database: Database;
let standby: Standby;
/** Two processes that share both servers. */
let one: TestMarketplace;
let other: TestMarketplace;
let key: string;
let summit: string;
let harbor: string;

beforeAll(async () => {
  folder = await mkdtemp(join(quickFolder(), `leadmarket-replica-`));
  await chmod(folder, 0o755);
  const settings = {
    max_connections: '60',
    autovacuum: 'off',
    fsync: 'off',
    full_page_writes: 'off',
    shared_buffers: '32MB',
  };
  engine = await useEmbeddedEngine({ dataDir: join(folder, 'data'), log: () => undefined, settings });
  database = openDatabase({ connection: engine.connection, idleInTransactionMs: 60_000 });
  await migrate(database, new Date());
  primary = new pg.Client(engine.connection);
  await primary.connect();
  const cancelAtOnce = { max_standby_streaming_delay: '0' };
  standby = await startStandby(primary, join(folder, 'standby'), { shared_buffers: '32MB', ...cancelAtOnce });
  const on: TestDatabase = { database, connection: engine.connection, url: '', drop: () => Promise.resolve() };
  const replica = { connection: standby.connection, lagSeconds: LONG_S };
  one = await startTestMarketplace({ yaml: YAML, on, replica });
  other = await startTestMarketplace({ yaml: YAML, on, replica, role: 'api' });
  key = await one.supplierKey('acme');
  [summit, harbor] = [await one.buyerToken('summit'), await one.buyerToken('harbor')];
});
afterAll(async () => {
  await other.close();
  await one.close();
  await standby.stop();
  await primary.end();
  await database.close();
  await engine.release();
  await rm(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
});

const opened: Array<() => Promise<void>> = [];
afterEach(async () => {
  await resume();
  for (const close of opened.splice(0).toReversed()) await close();
});

const pause = () => standby.client.query('SELECT pg_wal_replay_pause()');
const resume = () => standby.client.query('SELECT pg_wal_replay_resume()');

/** Waits until the standby has everything that is committed now. */
async function caughtUp(): Promise<void> {
  const { rows } = await primary.query<{ at: string }>('SELECT pg_current_wal_lsn()::text AS at');
  await eventually('the standby has replayed the log', async () => {
    const text = 'SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS "isThere"';
    return (await standby.client.query<{ isThere: boolean }>(text, [rows[0]?.at])).rows[0]?.isThere === true;
  });
}

type Watched = { readonly reads: Reads; readonly from: ReadFrom[]; readonly faults: Array<string | null> };

async function openWatched(lagSeconds: number, connection: pg.ClientConfig = standby.connection): Promise<Watched> {
  const from: ReadFrom[] = [];
  const faults: Array<string | null> = [];
  const reads = openReads({
    database,
    replica: { connection, lagSeconds },
    onRead: (server) => from.push(server),
    onChange: (fault) => faults.push(fault),
  });
  opened.push(() => reads.close());
  await reads.ready();
  return { reads, from, faults };
}

/** Waits until the replica has everything and is read. */
async function replicaInUse(): Promise<void> {
  await caughtUp();
  for (const market of [one, other]) {
    await eventually('reads go to the replica', async () => {
      const before = await readsFrom(market, 'replica');
      await getAsBuyer(market.url, harbor, '/api/v1/buyer/stats');
      return (await readsFrom(market, 'replica')) > before;
    });
  }
}

async function readsFrom({ url }: TestMarketplace, server: 'replica' | 'primary'): Promise<number> {
  const { text } = await call(`${url}/metrics`);
  const lines = text.matchAll(/^leadmarket_replica_reads_total\{server="(\w+)",reason="[\w ]*"\} (\d+)$/gm);
  return [...lines].filter(([, of]) => of === server).reduce((sum, [, , count]) => sum + Number(count), 0);
}

let serial = 0;
/** Sells a lead, and returns when the primary has its delivery. */
async function sell(token: string, state: string): Promise<void> {
  const total = async (): Promise<number> =>
    Number((await getAsBuyer(one.url, token, '/api/v1/buyer/leads')).json.total);
  const before = await total();
  serial += 1;
  expect((await postLead(one.url, key, leadBody(serial, { state }))).status).toBe(202);
  await eventually('the lead is sold', async () => (await total()) > before);
}

async function exportedRows(): Promise<number> {
  const { status, text } = await getAsBuyer(one.url, summit, '/api/v1/buyer/export');
  expect(status).toBe(200);
  return text.trimEnd().split('\r\n').length - 1;
}

describe('Reads of a process with a replica', () => {
  it('have what the replica has while it is within the bound', async () => {
    await sell(summit, 'CA');
    await replicaInUse();
    const before = await exportedRows();
    const { json: stats } = await getAsBuyer(one.url, summit, '/api/v1/buyer/stats');
    await pause();
    await sell(summit, 'CA');
    expect(await exportedRows()).toBe(before);
    const { json } = await getAsBuyer(one.url, summit, '/api/v1/buyer/stats');
    expect(json.totals).toEqual(stats.totals);
    const { text } = await call(`${one.url}/metrics`);
    expect(text).toMatch(/^leadmarket_replica_lag_seconds \d/m);
    await resume();
    await eventually('the replica has the second one', async () => (await exportedRows()) === before + 1);
  });

  it('show what the owner has just changed, in every process', async () => {
    await replicaInUse();
    await pause();
    const headers = { authorization: `Bearer ${summit}` };
    for (const [turn, writer] of [one, other].entries()) {
      const body = { notificationEmail: `desk-${turn}@example.com` };
      expect((await call(`${writer.url}/api/v1/buyer/account`, { method: 'PATCH', headers, body })).status).toBe(200);
      for (const reader of [other, one]) {
        const { json } = await getAsBuyer(reader.url, summit, '/api/v1/buyer/audit-log');
        expect(JSON.stringify(json)).toContain(body.notificationEmail);
      }
    }
    // Another partner has changed nothing and reads from the replica.
    const before = await readsFrom(other, 'replica');
    expect((await getAsBuyer(other.url, harbor, '/api/v1/buyer/stats')).status).toBe(200);
    expect(await readsFrom(other, 'replica')).toBe(before + 1);
    await resume();
    await caughtUp();
    expect((await getAsBuyer(other.url, summit, '/api/v1/buyer/stats')).status).toBe(200);
    expect(await readsFrom(other, 'replica')).toBe(before + 2);
  });

  it('show operators what any of them has just changed', async () => {
    const [first, second] = [await one.signedIn.operator(), await other.signedIn.operator('colleague')];
    await replicaInUse();
    await pause();
    const path = '/console/api/partners/delta';
    const changed = await first.send('POST', `${path}/status`, { status: 'paused' });
    expect(changed.status).toBe(200);
    expect((await second.get(path)).json.partner.status).toBe('paused');
  });

  it('come from the primary while the replica is further behind than it may be', async () => {
    const { reads, from, faults } = await openWatched(1);
    await caughtUp();
    await pause();
    await database.query(addNote, { name: 'too late' });
    // Idle, the log stands still; the bound is one of time.
    await eventually(
      'the note is read',
      async () => (await reads.database.query(findNote, { name: 'too late' })).length === 1,
    );
    expect(from.at(-1)).toMatch(/^primary: (?:behind|away)$/);
    await eventually('the replica counts as behind', () => faults.at(-1)?.includes('behind') ?? false);
    expect(reads.lagMs()).toBeGreaterThan(1000);
    await resume();
    await eventually('the replica is read', async () => {
      await reads.database.query(findNote, { name: 'too late' });
      return from.at(-1) === 'replica';
    });
    expect(faults.at(-1)).toBeNull();
  });

  it('answer every request while the replica is killed and started again', async () => {
    await replicaInUse();
    let isOver = false;
    const answers = new Map<number, number>();
    const ask = async (): Promise<void> => {
      while (!isOver) {
        for (const path of ['stats', 'export', 'stats?days=365']) {
          const { status } = await getAsBuyer(one.url, summit, `/api/v1/buyer/${path}`);
          answers.set(status, (answers.get(status) ?? 0) + 1);
        }
      }
    };
    const asking = Promise.all([ask(), ask(), ask()]);
    const before = await readsFrom(one, 'primary');
    await standby.kill();
    await eventually('reads go to the primary', async () => (await readsFrom(one, 'primary')) > before + 10);
    await standby.restart();
    const since = await readsFrom(one, 'replica');
    await eventually('reads go to the replica', async () => (await readsFrom(one, 'replica')) > since + 10);
    isOver = true;
    await asking;
    expect([...answers.keys()]).toEqual([200]);
  });

  it('are repeated on the primary when the replica cancels them, unless they are under way', async () => {
    const { reads, from } = await openWatched(LONG_S);
    await primary.query('CREATE TABLE garbage AS SELECT generate_series(1, 1000) AS n');
    const remove = async (): Promise<void> => {
      await primary.query('DELETE FROM garbage WHERE n % 2 = (SELECT n % 2 FROM garbage LIMIT 1)');
      await primary.query('VACUUM garbage');
    };
    let runs = 0;
    const readLong = (isUnderWay: () => boolean): Promise<number | null> =>
      reads.database.tx(
        async (tx) => {
          runs += 1;
          const [first] = await tx.query(countDeliveries);
          if (runs % 2 === 0) return first?.count ?? 0;
          await remove();
          return eventually('the standby cancels the read', async () => {
            await tx.query(countDeliveries);
            return null;
          });
        },
        { isUnderWay },
      );
    await caughtUp();
    expect(await readLong(() => false)).toBeGreaterThan(0);
    expect(runs).toBe(2);
    await eventually('the replica is read', async () => {
      await reads.database.query(countDeliveries);
      return from.at(-1) === 'replica';
    });
    await primary.query('INSERT INTO garbage SELECT generate_series(1, 1000)');
    await caughtUp();
    await expect(readLong(() => true)).rejects.not.toThrow('within');
    expect(runs).toBe(3);
    await primary.query('DROP TABLE garbage');
  });

  it('replay the past in a simulation', async () => {
    await sell(summit, 'CA');
    await caughtUp();
    const { reads, from } = await openWatched(LONG_S);
    const parsed = parseFile(YAML, { allowTargets: [] });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
    const replay = (tx: Tx) => simulateFile(tx, parsed.file, { days: 1 }, new Date());
    const simulated = await reads.database.tx(replay, { patient: true });
    expect(simulated.ok && simulated.simulation.leads).toBeGreaterThan(0);
    expect(from).toEqual(['replica']);
  });

  it('are kept behind the second wall on the replica', async () => {
    await sell(harbor, 'TX');
    await sell(summit, 'CA');
    await caughtUp();
    const { reads, from } = await openWatched(LONG_S);
    const walled = behindWall(reads.database, { stands: true });
    const [all] = await reads.database.query(countDeliveries);
    const [own] = await forTenant('harbor', () => walled.query(countDeliveries));
    const [none] = await walled.query(countDeliveries);
    expect(own?.count).toBeGreaterThan(0);
    expect(all?.count).toBeGreaterThan(own?.count ?? 0);
    expect(none?.count).toBe(0);
    expect(from).toEqual(['replica', 'replica', 'replica']);
    const canWrite = walled.tx((tx) => tx.query(addNote, { name: 'x' }));
    await expect(canWrite).rejects.toMatchObject({ code: 'outcome_unknown', cause: { code: '25006' } });
  });
});

describe('A server that is no replica of the primary', () => {
  it('is not read, with the reason', async () => {
    await primary.query('CREATE DATABASE elsewhere');
    await caughtUp();
    for (const [connection, reason] of [
      [engine.connection, /accepts writes/],
      [{ ...standby.connection, database: 'elsewhere' }, /another database/],
      [{ ...standby.connection, host: join(tmpdir(), 'nothing-here') }, /cannot be asked/],
    ] as const) {
      const { reads, from } = await openWatched(LONG_S, connection);
      expect(await reads.database.query(findNote, { name: 'nobody' })).toEqual([]);
      expect(from).toEqual(['primary: away']);
      const outcome = loadConfig({ DATABASE_REPLICA_URL: urlOf(connection) });
      if (!outcome.ok) throw new Error(outcome.faults.join());
      const findings = await examine(database, { config: outcome.config, clock: systemClock });
      const finding = findings.find(({ name }) => name === 'replica');
      expect(finding?.ok).toBe(false);
      if (reason.source !== 'cannot be asked') expect(finding?.detail).toMatch(reason);
    }
  });

  it('is not read with a bound that makes no sense: the start is rejected', () => {
    for (const REPLICA_LAG_SECONDS of ['0', '301', 'soon']) {
      const outcome = loadConfig({ REPLICA_LAG_SECONDS });
      expect(outcome.ok ? [] : outcome.faults).toEqual([expect.stringContaining('from 1 to 300')]);
    }
  });

  it('is told apart from one that works by leadmarket doctor', async () => {
    const outcome = loadConfig({ DATABASE_REPLICA_URL: standby.url });
    if (!outcome.ok) throw new Error(outcome.faults.join());
    const findings = await examine(database, { config: outcome.config, clock: systemClock });
    expect(findings.find(({ name }) => name === 'replica')).toEqual({
      name: 'replica',
      ok: true,
      detail: expect.stringMatching(/^works, at most \d+ ms behind; up to 5 s are accepted$/) as string,
    });
  });
});

function urlOf({ host = '', port = 0, user = '', database: name = '' }: pg.ClientConfig): string {
  return `postgresql://${user}@/${name}?host=${encodeURIComponent(host)}&port=${port}`;
}
