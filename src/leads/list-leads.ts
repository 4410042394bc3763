// Finds leads for the operator, newest first (contract 7, lead list).
import { typeId, type Uuid } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import { listLeads as list } from './lead.sql.ts';
import type { LeadState, PublicStatus } from './settle-leads.ts';

export type ListedLead = {
  /** The TypeID. */
  readonly leadId: string;
  readonly externalId: string | null;
  /** The supplier's key. */
  readonly supplier: string;
  readonly state: LeadState;
  /** The public status, as the supplier sees it. */
  readonly status: PublicStatus;
  /** The failed checks of a refused submission or the reason of a rejection; null otherwise. */
  readonly reason: string | null;
  /** Null where the checks failed. */
  readonly score: number | null;
  readonly receivedAt: Date;
};

type Row = {
  leadId: Uuid;
  externalId: string | null;
  supplierKey: string;
  state: LeadState;
  publicStatus: PublicStatus;
  reason: string | null;
  score: number | null;
  receivedAt: Date;
};

/** At most `limit` of those that meet every condition given; null is no condition. Test leads are among them. */
export async function listLeads(
  tx: Tx,
  conditions: {
    readonly supplierKey: string | null;
    readonly state: LeadState | null;
    readonly since: Date | null;
    readonly limit: number;
  },
): Promise<ListedLead[]> {
  const { supplierKey, state, since, limit } = conditions;
  const rows = await tx.query<Row>(list, [supplierKey, state, since, limit]);
  return rows.map((row) => ({
    leadId: typeId('lead', row.leadId),
    externalId: row.externalId,
    supplier: row.supplierKey,
    state: row.state,
    status: row.publicStatus,
    reason: row.reason,
    score: row.score,
    receivedAt: row.receivedAt,
  }));
}
