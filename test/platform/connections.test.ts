// Tests the connections of the service to PostgreSQL: their limits, their end, and the choice among several servers.
import { setTimeout as sleep } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Database, openDatabase, statement } from '../../src/platform/database/database.ts';
import { migrate } from '../../src/platform/database/migrate.ts';
import { takeServeLock } from '../../src/platform/database/serve-lock.ts';
import { OutsideError } from '../../src/platform/outside-error.ts';
import { startScheduler } from '../../src/platform/queue/scheduled-jobs.ts';
import { createWakeups } from '../../src/platform/queue/wakeups.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startDatabaseProxy } from '../support/database-proxy.ts';
import { eventually } from '../support/eventually.ts';
import { handClock } from '../support/hand-clock.ts';
import { startUnwelcomingServer, type UnwelcomingServer } from '../support/unwelcoming-server.ts';

const SHOWN = `SELECT current_setting('idle_in_transaction_session_timeout') AS transaction, current_setting('statement_timeout') AS statement,
  current_setting('idle_session_timeout') AS session, current_setting('lock_timeout') AS lock`;
const limits = statement<void, { statement: string; session: string; lock: string }>('test.limits', SHOWN);
const isThere = statement('test.is_there', 'SELECT 1 AS one');

let home: TestDatabase;
beforeAll(async () => {
  home = await createTestDatabase();
});
afterAll(() => home.drop());

describe('A server that ends a connection in the packet that accepts it', () => {
  let server: UnwelcomingServer;
  let database: Database;
  beforeAll(async () => {
    server = await startUnwelcomingServer();
    database = openDatabase({ connection: { connectionString: server.url }, responseWithinMs: 5000 });
  });
  afterAll(async () => {
    await database.close();
    await server.close();
  });

  // An error that nobody listens for would end the process, and fails the run.
  it('fails the connection attempt and ends no process', async () => {
    await expect(database.connect()).rejects.toMatchObject({ code: '57P01' });
    await expect(takeServeLock(database, () => undefined)).rejects.toMatchObject({ code: '57P01' });
    await expect(migrate(database, new Date())).rejects.toMatchObject({ code: '57P01' });
    const unavailable = { name: OutsideError.name, code: 'database_unavailable' };
    await expect(database.query(isThere)).rejects.toMatchObject(unavailable);
    await expect(database.tx((tx) => tx.query(isThere))).rejects.toMatchObject(unavailable);
  });

  it('does not keep the wake-up listener from connecting again', async () => {
    const faults: unknown[] = [];
    const wakeups = createWakeups({ database, acrossProcesses: true, onFault: (error) => faults.push(error) });
    const before = server.welcomed();
    await eventually('it has tried twice', () => server.welcomed() >= before + 2);
    await wakeups.close();
    expect(faults).toContainEqual(expect.objectContaining({ code: '57P01' }));
  });
});

describe('A connection', () => {
  it('has session limits, in the pool and outside it', async () => {
    const database = openDatabase({ connection: home.connection, responseWithinMs: 20_000 });
    const usual = { transaction: '15s', statement: '25s', session: '0', lock: '5s' };
    expect(await database.query(limits)).toEqual([usual]);
    expect(await database.tx((tx) => tx.query(limits))).toEqual([usual]);
    const patient = await database.tx((tx) => tx.query(limits), { patient: true });
    expect(patient).toEqual([{ ...usual, transaction: '1min', statement: '0', lock: '0' }]);
    const listening = await database.connect();
    expect((await listening.query(SHOWN)).rows).toEqual([usual]);
    const migrating = await database.connect({ isPatient: true, isBusy: true });
    expect((await migrating.query(SHOWN)).rows).toEqual([{ ...usual, statement: '0', session: '15s', lock: '0' }]);
    await Promise.all([listening.end(), migrating.end()]);
    await database.close();
  });

  it('gives up waiting for a held lock, as if the database were unavailable', async () => {
    await home.database.pool.query('CREATE TABLE wanted (word text)');
    const holder = await home.database.connect();
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE wanted');
    const database = openDatabase({ connection: home.connection, responseWithinMs: 20_000, lockMs: 200 });
    const want = statement('test.want', 'SELECT word FROM wanted');
    const busy = { name: OutsideError.name, retryable: true, cause: { code: '55P03' } };
    await expect(database.tx((tx) => tx.query(want))).rejects.toMatchObject(busy);
    await holder.query('ROLLBACK');
    expect(await database.tx((tx) => tx.query(want))).toEqual([]);
    await database.close();
    await holder.end();
  });

  it('makes the server probe an idle connection after ten seconds', async () => {
    // Behind the socket of a folder these settings always read as zero, so what was asked for is looked at.
    const client = await home.database.connect();
    const { rows } = await home.database.pool.query<{ query: string }>(
      'SELECT query FROM pg_stat_activity WHERE pid = $1',
      [(client as unknown as { processID: number }).processID],
    );
    await client.end();
    for (const setting of [`'tcp_keepalives_idle', '10'`, `'tcp_user_timeout', '20000'`]) {
      expect(rows[0]?.query).toContain(`set_config(${setting}, false)`);
    }
  });

  it('has no statement limit for long commands', async () => {
    const [shown] = await home.database.query(limits);
    expect(shown?.statement).toBe('0');
  });
});

// Beside each other: they wait most of the time.
describe.concurrent('Connections that stop responding', () => {
  it('are detected by the wake-up listener, which then listens on another one', async () => {
    const proxy = await startDatabaseProxy(home.url);
    const database = openDatabase({ connection: { connectionString: proxy.through(home.url) } });
    const wakeups = createWakeups({ database, acrossProcesses: true, onFault: () => undefined, heartbeatMs: 100 });
    const others = createWakeups({ database: home.database, acrossProcesses: true, onFault: () => undefined });
    let heard = 0;
    wakeups.on('routing', () => (heard += 1));
    const isHeard = async (): Promise<boolean> => {
      const before = heard;
      others.wake('routing');
      await sleep(25);
      return heard > before;
    };
    try {
      await eventually('it hears others', isHeard);
      proxy.silence({ old: true, new: false });
      heard = 0;
      expect(await eventually('it hears others again', isHeard)).toBe(true);
    } finally {
      await Promise.all([wakeups.close(), others.close()]);
      await database.close();
      await proxy.close();
    }
  });

  it('do not prevent scheduled jobs from running', async () => {
    const proxy = await startDatabaseProxy(home.url);
    const database = openDatabase({
      connection: { connectionString: proxy.through(home.url) },
      responseWithinMs: 500,
    });
    const clock = handClock('2026-11-18T12:00:30.000Z');
    const runs: string[] = [];
    const job = { name: 'beside-silence', cron: '* * * * *', run: async () => void runs.push('run') };
    const scheduler = startScheduler({ database, clock, jobs: [job], onFault: () => undefined, tickMs: 10 });
    try {
      clock.advance(60_000);
      await eventually('it is run', () => runs.length === 1);
      proxy.silence({ old: true, new: false });
      clock.advance(60_000);
      await eventually('it is run again', () => runs.length === 2);
      expect(runs).toHaveLength(2);
    } finally {
      await scheduler.stop();
      await database.close();
      await proxy.close();
    }
  });

  it.each([
    ['the server', (url: string) => url],
    ['one of two servers, the other of which is gone', (url: string) => url.replace('@', '@127.0.0.1:1,')],
  ])('do not delay a shutdown: %s', async (_which, change) => {
    const proxy = await startDatabaseProxy(home.url);
    const connectionString = change(proxy.through(home.url));
    const database = openDatabase({ connection: { connectionString }, responseWithinMs: 20_000, silenceMs: 200 });
    await database.query(isThere);
    proxy.silence({ old: true, new: true });
    const asked = database.query(isThere);
    database.expectEnd();
    // Long before an answer has taken too long.
    await expect(asked).rejects.toMatchObject({ name: OutsideError.name });
    await expect(database.query(isThere)).rejects.toMatchObject({ code: 'database_unavailable', retryable: false });
    await database.close();
    await proxy.close();
  });
});
