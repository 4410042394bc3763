// Puts leads into the routing inbox: for another decision now or at a later moment.
import type { LeadId } from '../base/ids.ts';
import { int2Array, timestamptzArray, uuidArray } from '../platform/database/binary-array.ts';
import type { Tx } from '../platform/database/database.ts';
import { queueLeadsSql } from './lead.sql.ts';

export type QueuedLead = { readonly leadId: LeadId; readonly dueAt: Date; readonly failures: number };

export async function queueLeads(tx: Tx, leads: readonly QueuedLead[]): Promise<void> {
  if (leads.length === 0) return;
  await tx.query(queueLeadsSql, {
    dueTimes: timestamptzArray(leads.map((lead) => lead.dueAt)),
    leadIds: uuidArray(leads.map((lead) => lead.leadId)),
    failures: int2Array(leads.map((lead) => lead.failures)),
  });
}
