// Folds appended counts together, so that their sums stay quick to read.
import type { Tx } from '../platform/database/database.ts';
import { foldDeliveryCounts as fold, foldQualityCounts } from './delivery.sql.ts';

/** Pairs of buyer (or supplier) and day per call: a short transaction each. */
const DAYS_PER_CALL = 200;

export async function foldDeliveryCounts(tx: Tx): Promise<void> {
  await tx.query(fold, [DAYS_PER_CALL]);
  await tx.query(foldQualityCounts, [DAYS_PER_CALL]);
}
