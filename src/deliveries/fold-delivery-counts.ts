// Folds appended counts together, so that their sums stay quick to read.
import { utcDay } from '../base/time.ts';
import type { Tx } from '../platform/database/database.ts';
import { foldDeliveryCountsSql, foldQualityCounts } from './delivery.sql.ts';

/** Pairs of buyer (or supplier) and day per call: a short transaction each. */
const DAYS_PER_CALL = 200;

/** Of the UTC days from that of `since` on: most changes concern the last two. */
export async function foldDeliveryCounts(tx: Tx, since: Date): Promise<void> {
  await tx.query(foldDeliveryCountsSql, { daysPerCall: DAYS_PER_CALL, day: utcDay(since) });
  await tx.query(foldQualityCounts, { daysPerCall: DAYS_PER_CALL, day: utcDay(since) });
}
