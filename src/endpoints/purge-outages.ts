// Forgets when endpoints were out of order long ago, some at a time (decision 021).
import type { Tx } from '../platform/database/database.ts';
import { purgeOutagesSql } from './endpoint.sql.ts';

/** Of those that were over before then; how many they were. */
export async function purgeOutages(tx: Tx, before: Date, atOnce: number): Promise<number> {
  const [row] = await tx.query(purgeOutagesSql, { before, atOnce });
  return row?.purged ?? 0;
}
