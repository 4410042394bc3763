// Makes sure that one server at a time runs on an embedded database: its workers and limits count on being alone there.
import { endClient } from './connector.ts';
import type { Database } from './database.ts';

export type ServeLock = { release(): Promise<void> };

// Any constant that nothing else in the service locks.
const LOCK_KEY = 4_207_115_303;

/**
 * Null while another process has it. The lock lives as long as its connection, so that it ends with the process, however that
 * ends; `onLost` is told when the connection ended by itself, with or without the database.
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
