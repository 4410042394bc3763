// Forgets proofs of consent whose own time is over, some at a time (decision 021).
import { firstIdOf } from '../base/id-time.ts';
import type { Tx } from '../platform/database/database.ts';
import { deleteConsentsSql } from './consent.sql.ts';

/** The oldest of those stored before then; how many they were. */
export async function deleteConsents(tx: Tx, before: Date, atOnce: number): Promise<number> {
  const [row] = await tx.query(deleteConsentsSql, { endId: firstIdOf(before), atOnce });
  return row?.purged ?? 0;
}
