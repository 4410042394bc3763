// Moves leads to a new state and public status, and the supplier's counts with them (contract 4, lead states).
import type { Uuid } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import { settleLeads as settle } from './lead.sql.ts';

export type LeadState = 'received' | 'held' | 'routed' | 'rejected';
export type PublicStatus = 'Pending' | 'Lead Sale' | 'Calendar Assigned' | 'Duplicate' | 'No Buyer' | 'Invalid';

export type Settlement = {
  readonly leadId: Uuid;
  readonly state: LeadState;
  readonly publicStatus: PublicStatus;
  /** A stable name for why it was rejected; null otherwise. */
  readonly reason: string | null;
};

/** Each lead at most once per call. */
export async function settleLeads(tx: Tx, settlements: readonly Settlement[], now: Date): Promise<void> {
  if (settlements.length === 0) return;
  await tx.query(settle, [
    settlements.map((settlement) => settlement.leadId),
    settlements.map((settlement) => settlement.state),
    settlements.map((settlement) => settlement.publicStatus),
    settlements.map((settlement) => settlement.reason),
    now,
  ]);
}
