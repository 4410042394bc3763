// Folds appended counts together, so that their sum stays quick to read.
import { utcDay } from '../base/time.ts';
import type { Tx } from '../platform/database/database.ts';
import { foldLeadCountsSql, foldRefusalCounts } from './lead.sql.ts';

/** Pairs of supplier and day per call: a short transaction each. */
const DAYS_PER_CALL = 200;

/** Of the UTC days from that of `since` on. */
export async function foldLeadCounts(tx: Tx, since: Date): Promise<void> {
  await tx.query(foldLeadCountsSql, { daysPerCall: DAYS_PER_CALL, day: utcDay(since) });
  await tx.query(foldRefusalCounts, { daysPerCall: DAYS_PER_CALL, day: utcDay(since) });
}
