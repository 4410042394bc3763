// Tests what a starting server waits for, and when it gives up.
import { randomBytes } from 'node:crypto';

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';

import { type Database, openDatabase, statement } from '../../src/platform/database/database.ts';
import { prepareDatabase } from '../../src/platform/database/prepare-database.ts';
import { createLog } from '../../src/platform/log.ts';
import { startDatabaseProxy } from '../support/database-proxy.ts';
import { eventually } from '../support/eventually.ts';
import { holdPort } from '../support/held-port.ts';
import { onServer, withDatabase } from '../support/server.ts';

const migrations = statement<void, { count: number }>(
  'test.count_migrations',
  'SELECT count(*) AS count FROM schema_migration',
);

const { url: serverUrl } = inject('postgres');
const names: string[] = [];
let emptyUrl: string;
beforeAll(async () => {
  emptyUrl = await emptyDatabase();
});
afterAll(() =>
  onServer(serverUrl, async (client) => {
    for (const name of names) await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  }),
);

async function emptyDatabase(): Promise<string> {
  const name = `lm_test_empty_${randomBytes(6).toString('hex')}`;
  names.push(name);
  await onServer(serverUrl, (client) => client.query(`CREATE DATABASE ${name}`));
  return withDatabase(serverUrl, name);
}

type Preparation = {
  readonly database: Database;
  readonly ready: Promise<boolean>;
  readonly said: () => string;
  readonly stop: () => void;
};

function prepare(connectionString: string): Preparation {
  const connection = { connectionString };
  const database = openDatabase({ connection, responseWithinMs: 20_000 });
  let said = '';
  const log = createLog('info', { write: (line) => (said += line) });
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  const ready = prepareDatabase({ database, connection, log, now: () => new Date(), stopped });
  return { database, ready, said: () => said, stop };
}

describe.concurrent('A starting server', () => {
  it('waits for an unreachable database, logs which one, and continues when it responds', async () => {
    const proxy = await startDatabaseProxy(emptyUrl);
    const url = proxy.through(emptyUrl).replace('@', ':s3cret@');
    await proxy.close();
    const held = await holdPort(proxy.port);
    const { database, ready, said } = prepare(url);
    await eventually('it says what it waits for', () =>
      said().includes(
        `The database at 127.0.0.1:${proxy.port} (${names[0]}) cannot be reached: the connection was refused.`,
      ),
    );
    const again = await startDatabaseProxy(emptyUrl, held.port);
    await held.release();
    expect(await ready).toBe(true);
    expect(said()).toContain('the database is ready');
    expect(said()).not.toContain('s3cret');
    const [row] = await database.query(migrations);
    expect(row?.count).toBeGreaterThan(0);
    await database.close();
    await again.close();
  });

  it('stops waiting when the process is stopped', async () => {
    const { database, ready, said, stop } = prepare('postgresql://leads@127.0.0.1:1/leads');
    await eventually('it waits', () => said().includes('cannot be reached'));
    stop();
    expect(await ready).toBe(false);
    await database.close();
  });

  it.each([
    ['an unknown database', (url: string) => withDatabase(url, 'not_there'), 'database "not_there" does not exist'],
    [
      'an unknown user',
      (url: string) => url.replace(/\/\/[^@]*@/, '//stranger:s3cret@'),
      'role "stranger" does not exist',
    ],
  ])('refuses to wait for %s, and says why', async (_what, change, why) => {
    const { database, ready, said } = prepare(change(serverUrl));
    await expect(ready).rejects.toMatchObject({
      code: 'database_unavailable',
      message: expect.stringContaining(`refuses this service: ${why}. Check DATABASE_URL.`),
    });
    await expect(ready).rejects.not.toMatchObject({ message: expect.stringContaining('s3cret') });
    expect(said()).toBe('');
    await database.close();
  });

  it('retries a migration that could not get its lock', async () => {
    const url = await emptyDatabase();
    const held = Promise.withResolvers<void>();
    const holding = onServer(url, async (client) => {
      await client.query(`SET idle_in_transaction_session_timeout = 0`);
      await client.query(`CREATE TABLE schema_migration (
        number integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL, applied_at timestamptz NOT NULL)`);
      await client.query('BEGIN');
      // Lets migrations be read, and none be written down.
      await client.query('LOCK TABLE schema_migration IN SHARE MODE');
      await held.promise;
      await client.query('ROLLBACK');
    });
    await eventually('the lock is held', () =>
      onServer(url, async (client) => {
        const { rows } = await client.query(`SELECT 1 FROM pg_locks WHERE mode = 'ShareLock' AND relation IS NOT NULL`);
        return rows.length > 0;
      }),
    );
    const { database, ready, said } = prepare(url);
    await eventually('it says that it tries again', () =>
      said().includes('due to lock timeout: trying again (1 of 20)'),
    );
    held.resolve();
    await holding;
    expect(await ready).toBe(true);
    await database.close();
  });
});
