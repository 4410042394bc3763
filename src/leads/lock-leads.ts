// Keeps leads for this transaction alone until it ends, for what has to be looked at and changed as one.
import type { Uuid } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import { lockLeads as lock } from './lead.sql.ts';

/** Taken after people, counters and accounts, by everybody. */
export async function lockLeads(tx: Tx, leadIds: readonly Uuid[]): Promise<void> {
  await tx.query(lock, [leadIds]);
}
