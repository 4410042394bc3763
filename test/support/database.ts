// Creates a separate database for a test file, cloned from the migrated template.
import { randomBytes } from 'node:crypto';

import type pg from 'pg';
import { inject } from 'vitest';

import { type Database, openDatabase } from '../../src/platform/database/database.ts';
import { databaseIn, onServer, withDatabase } from './server.ts';

export type TestDatabase = {
  readonly database: Database;
  readonly connection: pg.ClientConfig;
  /** Fit for DATABASE_URL of a child process. */
  readonly url: string;
  /** Closes `database` and drops it, even if others are still connected. */
  drop(): Promise<void>;
};

// One clone at a time: each reads the whole template, so several at once only wait for each other with more connections.
const CLONE_LOCK = 4_207_115_302;

/**
 * Call it in `beforeAll` and `drop` in `afterAll`; it takes some tens of milliseconds. `isEmpty`: without any table. `from`: a copy of this
 * one, whose sessions are ended.
 */
export async function createTestDatabase({
  isEmpty = false,
  from,
}: { readonly isEmpty?: boolean; readonly from?: Pick<TestDatabase, 'url'> } = {}): Promise<TestDatabase> {
  const { url: serverUrl, template, strategy } = inject('postgres');
  const name = `${template}_${randomBytes(6).toString('hex')}`;
  const model = from === undefined ? (isEmpty ? 'template0' : template) : databaseIn(from.url);
  await onServer(serverUrl, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [CLONE_LOCK]);
    if (from !== undefined)
      await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [model]);
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${model} STRATEGY ${strategy}`);
  });
  const url = withDatabase(serverUrl, name);
  const connection = { connectionString: url };
  // Tests hold transactions open while they check something, on busy machines.
  const database = openDatabase({ connection, idleInTransactionMs: 60_000 });
  return {
    database,
    connection,
    url,
    async drop() {
      await database.close();
      await onServer(serverUrl, async (client) => {
        await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      });
    },
  };
}
