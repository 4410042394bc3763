// Forgets why old leads were sold to whom, some at a time (decision 021).
import type { Tx } from '../platform/database/database.ts';
import { purgeDecisionsSql } from './routing.sql.ts';

/** The oldest of those decided before then; how many they were. */
export async function purgeDecisions(tx: Tx, before: Date, atOnce: number): Promise<number> {
  const [row] = await tx.query(purgeDecisionsSql, { before, atOnce });
  return row?.purged ?? 0;
}
