// Forgets old events of the partners' feeds, some at a time (contract 6.3).
import type { Tx } from '../../platform/database/database.ts';
import { purgeEvents } from './buyer-event.sql.ts';

/** How long events are kept, in days. */
export const EVENTS_KEPT_DAYS = 30;
/** A transaction of some tens of milliseconds. */
const AT_ONCE = 10_000;

/** Answers how many it forgot, at most 10,000: call it until it answers 0. What came before `before` counts as old. */
export async function purgeBuyerEvents(tx: Tx, before: Date, atOnce = AT_ONCE): Promise<number> {
  const [row] = await tx.query(purgeEvents, { before, atOnce });
  return row?.purged ?? 0;
}
