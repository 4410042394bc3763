// Takes one lead out of the routing inbox without reading it: for a lead whose very data may be what fails.
import type { LeadId } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import { withdrawLeadSql } from './lead.sql.ts';
import type { WithdrawnLead } from './stored-lead.ts';

/** Null when it is not in the inbox any more. Waits for whoever is deciding on it. */
export async function withdrawLead(tx: Tx, leadId: LeadId): Promise<WithdrawnLead | null> {
  const [row] = await tx.query(withdrawLeadSql, { leadId });
  return row ?? null;
}
