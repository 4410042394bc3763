// Tests which submissions are acknowledged while a synchronous standby is away, and the switch to another writable server.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

import { type Database, openDatabase, statement } from '../../src/platform/database/database.ts';
import { type EmbeddedEngine, useEmbeddedEngine } from '../../src/platform/database/embedded-engine.ts';
import { migrate } from '../../src/platform/database/migrate.ts';
import { OutsideError } from '../../src/platform/outside-error.ts';
import { marketYaml, sampleLead } from '../contract/market.ts';
import { type ApiResponse, postLead } from '../support/api-client.ts';
import { type DatabaseProxy, startDatabaseProxy } from '../support/database-proxy.ts';
import { eventually } from '../support/eventually.ts';
import { startTestMarketplace, type TestMarketplace } from '../support/marketplace.ts';

let root: string;
let engine: EmbeddedEngine;
/** A separate server for this file, whose settings may be changed. */
let own: pg.Client;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'leadmarket-failover-'));
  // Under root the server runs as another user, who needs access to this folder.
  chmodSync(root, 0o755);
  engine = await useEmbeddedEngine({ dataDir: join(root, 'data'), log: () => undefined });
  own = new pg.Client(engine.connection);
  await own.connect();
});
afterAll(async () => {
  await own.end();
  await engine.release();
  rmSync(root, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
});

async function configure(setting: string): Promise<void> {
  await own.query(`ALTER SYSTEM ${setting}`);
  await own.query('SELECT pg_reload_conf()');
}

describe('While the synchronous standby is unavailable', () => {
  let market: TestMarketplace;
  let database: Database;
  let key: string;
  beforeAll(async () => {
    const { connection } = engine;
    // A response that waits for a standby is given up soon, and any other has enough time.
    database = openDatabase({ connection, responseWithinMs: 4000 });
    await migrate(database, new Date());
    const on = { database, connection, url: '', drop: () => database.close() };
    market = await startTestMarketplace({ yaml: marketYaml(), on, role: 'api' });
    key = await market.supplierKey('acme-media');
  });
  afterAll(async () => {
    await configure('RESET synchronous_standby_names');
    await market.close();
    await database.close();
  });

  const post = (serial: number, headers: Record<string, string> = {}): Promise<ApiResponse> =>
    postLead(market.url, key, sampleLead(serial), headers);
  const byName = { 'idempotency-key': 'while-away' };

  /** Both are on this server alone when it has stopped waiting, and visible to every connection. */
  async function stopWaiting(): Promise<void> {
    await eventually('the leads are visible', async () => {
      await own.query(`SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'`);
      const { rowCount } = await own.query(`SELECT 1 FROM lead WHERE external_id IN ('A-1', 'A-2')`);
      return rowCount === 2;
    });
  }

  it('a repeated submission is acknowledged no sooner than the first one would be', async () => {
    await configure(`SET synchronous_standby_names = 'absent'`);
    let serial = 100;
    await eventually('the server waits for its standby', async () => (await post((serial += 1))).status === 503);
    const statuses = async (): Promise<number[]> =>
      (await Promise.all([post(1), post(2, byName)])).map(({ status }) => status);
    expect(await statuses()).toEqual([503, 503]);
    await stopWaiting();
    expect(await statuses()).toEqual([503, 503]);
    await stopWaiting();
    expect(await statuses()).toEqual([503, 503]);

    await configure('RESET synchronous_standby_names');
    const repeats = await eventually('repeats are acknowledged', async () => {
      const responses = await Promise.all([post(1), post(2, byName)]);
      return responses.every(({ status }) => status === 202) ? responses : null;
    });
    expect(repeats.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual(['true', 'true']);
    const { rows } = await own.query(
      `SELECT external_id, count(*)::int AS leads FROM lead WHERE external_id IN ('A-1', 'A-2') GROUP BY 1 ORDER BY 1`,
    );
    expect(rows).toEqual([
      { external_id: 'A-1', leads: 1 },
      { external_id: 'A-2', leads: 1 },
    ]);
  });
});

describe('With two servers in DATABASE_URL', () => {
  const whichServer = statement<void, { id: string }>(
    'test.which_server',
    'SELECT system_identifier::text AS id FROM pg_control_system()',
  );
  const write = statement('test.write', 'CREATE TABLE IF NOT EXISTS test_writable ()');

  let first: DatabaseProxy;
  let second: DatabaseProxy;
  let ownId: string;
  let connectionString: string;

  beforeAll(async () => {
    const { url } = inject('postgres');
    const { user, database } = new pg.Client({ connectionString: url });
    const { user: ownUser, database: ownDatabase } = engine.connection;
    if (user !== ownUser) await own.query(`CREATE ROLE ${own.escapeIdentifier(user ?? '')} LOGIN SUPERUSER`);
    if (database !== ownDatabase) await own.query(`CREATE DATABASE ${own.escapeIdentifier(database ?? '')}`);
    const { host, port } = engine.connection;
    first = await startDatabaseProxy(`postgresql:///?host=${encodeURIComponent(host)}&port=${port}`);
    second = await startDatabaseProxy(url);
    connectionString = second.through(url).replace('@', `@127.0.0.1:${first.port},`);
    ownId = (await own.query<{ id: string }>(whichServer.text)).rows[0]?.id ?? '';
  });
  afterAll(async () => {
    await Promise.all([first.close(), second.close()]);
  });

  it('the service moves to the writable one, and back when only the first is writable', async () => {
    const database = openDatabase({ connection: { connectionString }, responseWithinMs: 20_000 });
    const serverId = async (): Promise<string | undefined> => (await database.query(whichServer))[0]?.id;
    const written = async (): Promise<boolean> => {
      try {
        await database.query(write);
        return true;
      } catch (error) {
        // The error says that a retry is allowed.
        expect(error).toMatchObject({ name: OutsideError.name, retryable: true });
        return false;
      }
    };
    expect(await serverId()).toBe(ownId);
    await database.query(write);
    await configure('SET default_transaction_read_only = on');
    await eventually('it writes to the second server', async () => (await written()) && (await serverId()) !== ownId);
    const listening = await database.connect();
    expect((await listening.query<{ id: string }>(whichServer.text)).rows[0]?.id).not.toBe(ownId);
    await listening.query('DROP TABLE test_writable');
    await listening.end();

    await second.close();
    await expect(database.query(write)).rejects.toMatchObject({ code: expect.any(String), retryable: true });
    await expect(database.query(write)).rejects.toMatchObject({ code: 'database_unavailable' });
    await own.query('SET default_transaction_read_only = off');
    await configure('RESET default_transaction_read_only');
    await eventually('it writes to the first server again', written);
    expect(await serverId()).toBe(ownId);
    await database.close();
  });
});
