// Makes sure that one server at a time runs on an embedded database: its workers and limits count on being alone there.
import { OutsideError } from '../outside-error.ts';
import type { Database } from './database.ts';

export type ServeLock = { release(): Promise<void> };

// Any constant that nothing else in the service locks.
const LOCK_KEY = 4_207_115_303;

/** The lock lives as long as its connection, so that it ends with the process, however that ends. */
export async function takeServeLock(database: Database, dataDir: string): Promise<ServeLock> {
  const client = await database.connect();
  const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [LOCK_KEY]);
  if (rows[0]?.taken !== true) {
    await client.end();
    throw new OutsideError(
      'database_unavailable',
      `Another server is running on ${dataDir}. Stop it, name another DATA_DIR, or set DATABASE_URL to run several servers on one database.`,
      { retryable: false },
    );
  }
  client.on('error', () => {
    // The database went away; the pool will say so, and a database without us needs no lock.
  });
  return {
    release: () => client.end(),
  };
}
