// Puts leads into the routing inbox: for another decision now or at a later moment.
import type { Uuid } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import { queueLeads as queue } from './lead.sql.ts';

export type QueuedLead = { readonly leadId: Uuid; readonly dueAt: Date; readonly failures: number };

export async function queueLeads(tx: Tx, leads: readonly QueuedLead[]): Promise<void> {
  if (leads.length === 0) return;
  await tx.query(queue, [
    leads.map((lead) => lead.dueAt),
    leads.map((lead) => lead.leadId),
    leads.map((lead) => lead.failures),
  ]);
}
