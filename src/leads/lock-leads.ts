// Keeps leads for this transaction alone until it ends, for what has to be looked at and changed as one.
import type { Uuid } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import { lockLeads as lock } from './lead.sql.ts';
import type { PublicStatus } from './settle-leads.ts';

/** Answers the public status of each, which then holds. A lead whose turn it is in the routing inbox is its worker's without this. */
export async function lockLeads(tx: Tx, leadIds: readonly Uuid[]): Promise<Map<Uuid, PublicStatus>> {
  const rows = await tx.query<{ leadId: Uuid; publicStatus: PublicStatus }>(lock, [leadIds]);
  return new Map(rows.map(({ leadId, publicStatus }) => [leadId, publicStatus]));
}
