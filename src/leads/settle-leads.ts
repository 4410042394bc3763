// Moves leads to a new state and public status and updates the suppliers' counts (contract 4.1).
import { strict as assert } from 'node:assert';
import type { LeadId } from '../base/ids.ts';
import { textArray, uuidArray } from '../platform/database/binary-array.ts';
import type { Tx } from '../platform/database/database.ts';
import { settleLeadsSql, foldLeadCountsSql, foldRefusalCounts } from './lead.sql.ts';
import { utcDay } from '../base/time.ts';
import type { LeadState, PublicStatus } from './stored-lead.ts';

export type Settlement = {
  readonly leadId: LeadId;
  /** The current public status, read under a lock of this transaction. */
  readonly from: PublicStatus;
  readonly state: LeadState;
  readonly publicStatus: PublicStatus;
  /** The stable name of the reason for a rejection, else null. */
  readonly reason: string | null;
};

/** Each lead at most once per call. */
export async function settleLeads(tx: Tx, settlements: readonly Settlement[], now: Date): Promise<void> {
  if (settlements.length === 0) return;
  const [row] = await tx.query(settleLeadsSql, {
    leadIds: uuidArray(settlements.map((settlement) => settlement.leadId)),
    oldStatuses: textArray(settlements.map((settlement) => settlement.from)),
    states: textArray(settlements.map((settlement) => settlement.state)),
    newStatuses: textArray(settlements.map((settlement) => settlement.publicStatus)),
    reasons: textArray(settlements.map((settlement) => settlement.reason)),
    now,
  });
  assert(row?.settled === settlements.length, 'the public status of a lead has changed since it was read');
}

/** Pairs of supplier and day per call, so that transactions stay short. */
const DAYS_PER_CALL = 200;

/** Merges the appended counts from the UTC day of `since` on, so that their sum stays quick to read. */
export async function foldLeadCounts(tx: Tx, since: Date): Promise<void> {
  await tx.query(foldLeadCountsSql, { daysPerCall: DAYS_PER_CALL, day: utcDay(since) });
  await tx.query(foldRefusalCounts, { daysPerCall: DAYS_PER_CALL, day: utcDay(since) });
}
