// Takes due leads out of the routing inbox without reading them: for a lead whose very data is what fails.
import type { Uuid } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import { claimDueIds } from './lead.sql.ts';

export async function claimDueLeadIds(
  tx: Tx,
  limit: number,
  now: Date,
): Promise<Array<{ leadId: Uuid; failures: number }>> {
  return tx.query<{ leadId: Uuid; failures: number }>(claimDueIds, [now, limit]);
}
