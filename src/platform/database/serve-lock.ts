// Makes sure that only one server runs on an embedded database: its workers and limits assume that they are alone.
import { endClient } from './connector.ts';
import type { Database } from './database.ts';

export type ServeLock = { release(): Promise<void> };

// Any constant that no other lock of the service uses.
const LOCK_KEY = 4_207_115_303;

/**
 * Null while another process has the lock. It lasts as long as its connection, so it ends with the process in any case. `onLost` is
 * called when the connection breaks, with or without the database.
 */
export async function takeServeLock(database: Database, onLost: () => void): Promise<ServeLock | null> {
  const client = await database.connect();
  let isOver = false;
  const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [LOCK_KEY]);
  if (rows[0]?.taken !== true) {
    await endClient(client);
    return null;
  }
  client.once('end', () => {
    if (!isOver) onLost();
  });
  return {
    release() {
      isOver = true;
      return endClient(client);
    },
  };
}
