// Locks a count until the transaction ends, so that of several requests at once each counts what those before it have added.
import type { Tx } from './database.ts';
import { lockCountSql } from './lock-count.sql.ts';

/** `name`: what is counted, and whose it is. Before any row is locked: whoever holds a row must not wait for this lock. */
export async function lockCount(tx: Pick<Tx, 'query'>, name: string): Promise<void> {
  await tx.query(lockCountSql, { name });
}
