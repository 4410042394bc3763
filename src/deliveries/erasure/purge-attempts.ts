// Forgets old attempts, some at a time; the delivery itself stays (decision 021).
import { firstIdOf } from '../../base/id-time.ts';
import type { Tx } from '../../platform/database/database.ts';
import { purgeAttemptsSql } from './erasure.sql.ts';

/** The oldest of those made before then; how many they were. */
export async function purgeAttempts(tx: Tx, before: Date, atOnce: number): Promise<number> {
  const [row] = await tx.query(purgeAttemptsSql, { attemptId: firstIdOf(before), atOnce });
  return row?.purged ?? 0;
}
