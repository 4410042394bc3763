// When a scheduled job was last done, whichever process did it.
import type { Tx } from '../database/database.ts';
import { choresTable, lastRunOfChore } from './chores.sql.ts';

/** Null where it never was, or where no worker has run on this database yet. */
export async function readLastRun(tx: Tx, name: string): Promise<Date | null> {
  const [table] = await tx.query<{ isThere: boolean }>(choresTable);
  if (table?.isThere !== true) return null;
  const [run] = await tx.query<{ at: Date | null }>(lastRunOfChore, [name]);
  return run?.at ?? null;
}
