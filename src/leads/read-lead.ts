// One lead with everything that is stored of it but the body as received.
import type { Uuid } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import type { LeadFields } from './lead-fields.ts';
import { selectLead } from './lead.sql.ts';
import type { LeadState, PublicStatus } from './settle-leads.ts';

export type StoredLead = {
  readonly leadId: Uuid;
  readonly externalId: string | null;
  readonly supplierKey: string;
  readonly isTest: boolean;
  readonly state: LeadState;
  readonly publicStatus: PublicStatus;
  readonly reason: string | null;
  /** Null for a submission that failed its checks; so are the factors and the fields. */
  readonly score: number | null;
  readonly scoreFactors: unknown;
  readonly fields: LeadFields | null;
  readonly receivedAt: Date;
  readonly decidedAt: Date | null;
  /** Since when the lead holds no person any more: its fields are then null. */
  readonly erasedAt: Date | null;
};

export async function readLead(tx: Tx, leadId: Uuid): Promise<StoredLead | null> {
  const [row] = await tx.query(selectLead, { leadId });
  if (row === undefined) return null;
  return {
    ...row,
    scoreFactors: row.scoreFactors === null ? null : JSON.parse(row.scoreFactors),
    fields: row.fields === null ? null : (JSON.parse(row.fields) as LeadFields),
  };
}
