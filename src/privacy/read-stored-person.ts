// Says what is stored of the persons behind some leads, before they are erased (decision 021).
import type { LeadId } from '../base/ids.ts';
import type { LeadFields } from '../leads/lead-fields.ts';
import type { Tx } from '../platform/database/database.ts';
import { storedOfDeliveries, storedOfLeads } from './stored-person.sql.ts';
import type { StoredPerson } from './stored-person.ts';

/** Newest lead first; leads that do not exist are left out. */
export async function readStoredLeads(tx: Tx, leadIds: readonly LeadId[]): Promise<StoredPerson[]> {
  if (leadIds.length === 0) return [];
  const rows = await tx.query(storedOfLeads, { leadIds });
  const deliveries = await tx.query(storedOfDeliveries, { leadIds });
  return rows.map((row) => ({
    ...row,
    fields: row.fields === null ? null : (JSON.parse(row.fields) as LeadFields),
    deliveries: deliveries.filter(({ leadId }) => leadId === row.leadId),
  }));
}
