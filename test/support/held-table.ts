// Locks a table against all writers, so that a test can look at a request that is running.
import type pg from 'pg';

import type { Database } from '../../src/platform/database/database.ts';
import { eventually } from './eventually.ts';

export type HeldTable = {
  /** Resolves when so many sessions of this database wait for a lock; answers with their process ids. */
  waiters(atLeast: number): Promise<number[]>;
  /** Ends one of these sessions, as a crash of its server process would. */
  terminate(pid: number): Promise<void>;
  release(): Promise<void>;
};

const WAITING = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

export async function holdTable(database: Database, table: string): Promise<HeldTable> {
  const client: pg.Client = await database.connect();
  await client.query('BEGIN');
  await client.query(`LOCK TABLE ${table} IN EXCLUSIVE MODE`);
  return {
    waiters: (atLeast) =>
      eventually(`${atLeast} sessions wait for a lock`, async () => {
        // Statistics keep the values of their first reading in a transaction.
        await client.query('SELECT pg_stat_clear_snapshot()');
        const { rows } = await client.query<{ pid: number }>(WAITING);
        return rows.length >= atLeast && rows.map(({ pid }) => pid);
      }),
    async terminate(pid) {
      await client.query('SELECT pg_terminate_backend($1)', [pid]);
    },
    async release() {
      await client.query('ROLLBACK');
      await client.end();
    },
  };
}
