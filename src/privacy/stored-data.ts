// Reads what is stored about the data subjects of some leads, before they are erased (decision 021).
import type { LeadId } from '../base/ids.ts';
import type { LeadFields } from '../leads/lead-fields.ts';
import type { Tx } from '../platform/database/database.ts';
import { type StoredDelivery, storedOfDeliveries, storedOfLeads, type StoredLeadRow } from './stored-data.sql.ts';

export type StoredData = Omit<StoredLeadRow, 'fields'> & {
  readonly fields: LeadFields | null;
  readonly deliveries: readonly StoredDelivery[];
};

/** Newest lead first; leads that do not exist are left out. */
export async function readStoredLeads(tx: Tx, leadIds: readonly LeadId[]): Promise<StoredData[]> {
  if (leadIds.length === 0) return [];
  const rows = await tx.query(storedOfLeads, { leadIds });
  const deliveries = await tx.query(storedOfDeliveries, { leadIds });
  return rows.map((row) => ({
    ...row,
    fields: row.fields === null ? null : (JSON.parse(row.fields) as LeadFields),
    deliveries: deliveries.filter(({ leadId }) => leadId === row.leadId),
  }));
}
