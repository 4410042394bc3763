// Moves leads to a new state and public status, and the supplier's counts with them (contract 4.1).
import { strict as assert } from 'node:assert';

import type { LeadId } from '../base/ids.ts';
import { textArray, uuidArray } from '../platform/database/binary-array.ts';
import type { Tx } from '../platform/database/database.ts';
import { settleLeadsSql } from './lead.sql.ts';

export type LeadState = 'received' | 'held' | 'routed' | 'rejected';
export type PublicStatus = 'Pending' | 'Lead Sale' | 'Calendar Assigned' | 'Duplicate' | 'No Buyer' | 'Invalid';
export const publicStatuses: readonly PublicStatus[] = [
  'Pending',
  'Lead Sale',
  'Calendar Assigned',
  'Duplicate',
  'No Buyer',
  'Invalid',
];

export type Settlement = {
  readonly leadId: LeadId;
  /** The public status that the lead has, read by a transaction that nobody else can change it under. */
  readonly from: PublicStatus;
  readonly state: LeadState;
  readonly publicStatus: PublicStatus;
  /** A stable name for why it was rejected; null otherwise. */
  readonly reason: string | null;
};

/** Each lead at most once per call. */
export async function settleLeads(tx: Tx, settlements: readonly Settlement[], now: Date): Promise<void> {
  if (settlements.length === 0) return;
  const [response] = await tx.query(settleLeadsSql, {
    leadIds: uuidArray(settlements.map((settlement) => settlement.leadId)),
    oldStatuses: textArray(settlements.map((settlement) => settlement.from)),
    states: textArray(settlements.map((settlement) => settlement.state)),
    newStatuses: textArray(settlements.map((settlement) => settlement.publicStatus)),
    reasons: textArray(settlements.map((settlement) => settlement.reason)),
    now,
  });
  assert(response?.settled === settlements.length, 'a lead is not in the public status that it was read with');
}
