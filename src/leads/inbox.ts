// The routing inbox: queues leads for a decision, claims due ones, and withdraws leads from it.
import type { Tx } from '../platform/database/database.ts';
import {
  claimDueLeadsSql,
  claimInboxEntriesSql,
  withdrawLeadsSql,
  queueLeadsSql,
  withdrawLeadSql,
} from './inbox.sql.ts';
import type { ClaimedLead, WithdrawnLead } from './stored-lead.ts';
import type { LeadId } from '../base/ids.ts';
import { int2Array, timestamptzArray, uuidArray } from '../platform/database/binary-array.ts';

/**
 * Removes at most `limit` due leads, in turn over their suppliers, for the transaction that decides on them; returns the oldest first. Skips
 * locked ones; a rollback puts them back.
 */
export async function claimDueLeads(tx: Tx, limit: number, now: Date): Promise<ClaimedLead[]> {
  return tx.query(claimDueLeadsSql, { now, limit });
}

/**
 * Locks the inbox entries of leads, so that no worker decides on them. Returns the leads that have an entry which no other transaction has
 * locked; never waits.
 */
export async function claimInboxEntries(tx: Tx, leadIds: readonly LeadId[]): Promise<ReadonlySet<LeadId>> {
  const rows = await tx.query(claimInboxEntriesSql, { leadIds });
  return new Set(rows.map(({ leadId }) => leadId));
}

/** Removes leads from the inbox if present; waits for transactions that are deciding on them. */
export async function withdrawLeads(tx: Tx, leadIds: readonly LeadId[]): Promise<void> {
  if (leadIds.length > 0) await tx.query(withdrawLeadsSql, { leadIds });
}

export type QueuedLead = { readonly leadId: LeadId; readonly dueAt: Date; readonly failures: number };

export async function queueLeads(tx: Tx, leads: readonly QueuedLead[]): Promise<void> {
  if (leads.length === 0) return;
  await tx.query(queueLeadsSql, {
    dueTimes: timestamptzArray(leads.map((lead) => lead.dueAt)),
    leadIds: uuidArray(leads.map((lead) => lead.leadId)),
    failures: int2Array(leads.map((lead) => lead.failures)),
  });
}

/**
 * Removes one lead without reading its data, which may be the cause of a failure. Null if it is no longer in the inbox. Waits for a
 * transaction that is deciding on it.
 */
export async function withdrawLead(tx: Tx, leadId: LeadId): Promise<WithdrawnLead | null> {
  const [row] = await tx.query(withdrawLeadSql, { leadId });
  return row ?? null;
}
