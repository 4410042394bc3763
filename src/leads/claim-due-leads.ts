// Takes the next leads out of the routing inbox for the transaction that will decide on them.
import type { Tx } from '../platform/database/database.ts';
import { claimDueLeadsSql } from './lead.sql.ts';
import type { ClaimedLead } from './stored-lead.ts';

/** At most `limit` leads, oldest due first; what other transactions hold is passed over. A rollback puts them back. */
export async function claimDueLeads(tx: Tx, limit: number, now: Date): Promise<ClaimedLead[]> {
  return tx.query(claimDueLeadsSql, { now, limit });
}
