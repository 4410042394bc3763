// Locks leads until the transaction ends, for what has to be looked at and changed as one.
import type { LeadId } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import { lockLeadsSql } from './lead.sql.ts';
import type { LockedLead } from './stored-lead.ts';

/** Answers what then holds of each. A lead whose turn it is in the routing inbox is its worker's without this. */
export async function lockLeads(tx: Tx, leadIds: readonly LeadId[]): Promise<Map<LeadId, LockedLead>> {
  const rows = await tx.query(lockLeadsSql, { leadIds });
  return new Map(rows.map(({ leadId, ...lead }) => [leadId, lead]));
}
