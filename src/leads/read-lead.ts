// Reads a stored lead or its raw body, and locks leads.
import type { LeadId } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import type { LeadFields } from './lead-fields.ts';
import { selectLead, lockLeadsSql } from './lead.sql.ts';
import type { StoredLead, LockedLead } from './stored-lead.ts';
import { selectRawBody } from './find-leads.sql.ts';
import type { StoredBody } from './refused-body.rules.ts';

/** All stored data except the raw body. */
export async function readLead(tx: Tx, leadId: LeadId): Promise<StoredLead | null> {
  const [row] = await tx.query(selectLead, { leadId });
  if (row === undefined) return null;
  return {
    ...row,
    scoreFactors: row.scoreFactors === null ? null : JSON.parse(row.scoreFactors),
    fields: row.fields === null ? null : (JSON.parse(row.fields) as LeadFields),
  };
}

/** The body as received. Null if it has expired, was erased, or the lead does not exist. */
export async function readRawBody(tx: Tx, leadId: LeadId): Promise<StoredBody> {
  const [row] = await tx.query(selectRawBody, { leadId });
  return row ?? { rawBody: null, rawBodyBytes: null };
}

/**
 * Locks leads until the transaction ends (SELECT … FOR UPDATE). Not needed for a lead claimed from the routing inbox: the lock on its inbox
 * entry protects it.
 */
export async function lockLeads(tx: Tx, leadIds: readonly LeadId[]): Promise<Map<LeadId, LockedLead>> {
  const rows = await tx.query(lockLeadsSql, { leadIds });
  return new Map(rows.map(({ leadId, ...lead }) => [leadId, lead]));
}
