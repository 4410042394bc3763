// Lists old leads whose persons are not erased yet, some at a time (decision 021).
import { FIRST_ID, firstIdOf, type Walk } from '../base/id-time.ts';
import type { LeadId } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import { selectUnerased } from './lead.sql.ts';

/** In the order of their ids. */
export async function unerasedLeads(tx: Tx, { after, before, atOnce }: Walk): Promise<LeadId[]> {
  const rows = await tx.query(selectUnerased, { after: after ?? FIRST_ID, endId: firstIdOf(before), atOnce });
  return rows.map(({ leadId }) => leadId);
}
