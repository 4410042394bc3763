// Which partners' primary channels have been out of order for longer than leads may wait, so that they get no new ones (contract 4, breaker).
import type { Tx } from '../platform/database/database.ts';
import { selectFailing } from './endpoint.sql.ts';

/**
 * By buyer key: since when the breaker is open. Only where something waits to be sent: without it nothing would ever ask whether the
 * endpoint is back, so the next lead is let through to ask.
 */
export async function failingEndpoints(tx: Tx, openedBefore: Date): Promise<Map<string, Date>> {
  const rows = await tx.query<{ buyerKey: string; openedAt: Date }>(selectFailing, [openedBefore]);
  return new Map(rows.map(({ buyerKey, openedAt }) => [buyerKey, openedAt]));
}
