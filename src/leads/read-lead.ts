// One lead with everything that is stored of it but the body as received.
import type { LeadId } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import type { LeadFields } from './lead-fields.ts';
import { selectLead } from './lead.sql.ts';
import type { StoredLead } from './stored-lead.ts';

export async function readLead(tx: Tx, leadId: LeadId): Promise<StoredLead | null> {
  const [row] = await tx.query(selectLead, { leadId });
  if (row === undefined) return null;
  return {
    ...row,
    scoreFactors: row.scoreFactors === null ? null : JSON.parse(row.scoreFactors),
    fields: row.fields === null ? null : (JSON.parse(row.fields) as LeadFields),
  };
}
