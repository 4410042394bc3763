// Folds appended counts together, so that their sum stays quick to read.
import type { Tx } from '../platform/database/database.ts';
import { foldLeadCounts as fold } from './lead.sql.ts';

/** Pairs of supplier and day per call: a short transaction each. */
const DAYS_PER_CALL = 200;

export async function foldLeadCounts(tx: Tx): Promise<void> {
  await tx.query(fold, [DAYS_PER_CALL]);
}
