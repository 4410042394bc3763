// Holds leads' places in the routing inbox, so that no worker decides on them, until the transaction takes them out or ends.
import type { LeadId } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import { claimInboxEntriesSql, withdrawLeadsSql } from './lead.sql.ts';

/** Answers those that wait there and are not being decided on at this moment: waits for nobody. */
export async function claimInboxEntries(tx: Tx, leadIds: readonly LeadId[]): Promise<ReadonlySet<LeadId>> {
  const rows = await tx.query(claimInboxEntriesSql, { leadIds });
  return new Set(rows.map(({ leadId }) => leadId));
}

/** Takes them out, where they are in it. */
export async function takeOutOfInbox(tx: Tx, leadIds: readonly LeadId[]): Promise<void> {
  if (leadIds.length > 0) await tx.query(withdrawLeadsSql, { leadIds });
}
