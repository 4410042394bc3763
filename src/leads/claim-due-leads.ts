// Takes the next leads out of the routing inbox for the transaction that will decide on them.
import type { Uuid } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import type { LeadFields } from './lead-fields.ts';
import { claimDueLeads as claim } from './lead.sql.ts';

export type ClaimedLead = {
  readonly leadId: Uuid;
  readonly supplierKey: string;
  readonly externalId: string | null;
  readonly isTest: boolean;
  readonly state: 'received' | 'held';
  readonly score: number;
  readonly receivedAt: Date;
  readonly fields: LeadFields;
  /** How often deciding on this lead has failed. */
  readonly failures: number;
};

/** At most `limit` leads, oldest due first; what other transactions hold is passed over. A rollback puts them back. */
export async function claimDueLeads(tx: Tx, limit: number, now: Date): Promise<ClaimedLead[]> {
  const rows = await tx.query<Omit<ClaimedLead, 'fields'> & { fields: string }>(claim, [now, limit]);
  return rows.map((row) => ({ ...row, fields: JSON.parse(row.fields) as LeadFields }));
}
