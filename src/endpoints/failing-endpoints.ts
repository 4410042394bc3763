// Which partners' primary channels have been out of order for longer than leads may wait, so that they get no new ones (contract 4.12).
import type { Tx } from '../platform/database/database.ts';
import { selectFailing } from './endpoint.sql.ts';

/** Where leads may not wait at all. */
const ASKED_WITHIN_MS = 60_000;

/**
 * By buyer key: since when the breaker is open. Only where something waits that will be sent within the time for which leads may wait:
 * without it nothing would ask whether the endpoint is back, so the next lead is let through to ask.
 */
export async function failingEndpoints(tx: Tx, holdMs: number, now: Date): Promise<Map<string, Date>> {
  const rows = await tx.query(selectFailing, {
    openedAt: new Date(now.getTime() - holdMs),
    dueAt: new Date(now.getTime() + Math.max(holdMs, ASKED_WITHIN_MS)),
  });
  return new Map(rows.map(({ buyerKey, openedAt }) => [buyerKey, openedAt]));
}
