// Takes the next leads out of the routing inbox for the transaction that will decide on them.
import type { Uuid } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import { claimDueLeads as claim } from './lead.sql.ts';

export type ClaimedLead = {
  readonly leadId: Uuid;
  readonly supplierKey: string;
  readonly externalId: string | null;
  readonly isTest: boolean;
  readonly state: 'received' | 'held';
  readonly score: number;
  readonly receivedAt: Date;
  /** JSON of LeadFields, not read yet: should that fail, it is known by then which leads are at hand. */
  readonly fields: string;
};

/** At most `limit` leads, oldest due first; what other transactions hold is passed over. A rollback puts them back. */
export async function claimDueLeads(tx: Tx, limit: number, now: Date): Promise<ClaimedLead[]> {
  return tx.query(claim, { now, limit });
}
