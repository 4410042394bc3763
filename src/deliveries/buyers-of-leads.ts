// Which buyers have or had a delivery of a lead: none is offered the same lead twice.
import type { Uuid, LeadId } from '../base/ids.ts';
import { uuidArray } from '../platform/database/binary-array.ts';
import type { Tx } from '../platform/database/database.ts';
import { buyersOfLeadsSql } from './delivery.sql.ts';

export async function buyersOfLeads(tx: Tx, leadIds: readonly LeadId[]): Promise<Map<Uuid, Set<string>>> {
  const buyers = new Map<Uuid, Set<string>>();
  for (const row of await tx.query(buyersOfLeadsSql, { leadIds: uuidArray(leadIds) })) {
    buyers.set(row.leadId, (buyers.get(row.leadId) ?? new Set()).add(row.buyerKey));
  }
  return buyers;
}
