// When the last of a buyer's deliveries of a month was confirmed, which may be long after the month: by a retry, or sent again after it
// had failed (contract 6.7).
import type { Span } from '../base/time.ts';
import type { Tx } from '../platform/database/database.ts';
import { lastConfirmationSql } from './return.sql.ts';

/** Of those that can be returned; null where there is none. Reads all of the buyer's deliveries of the span. */
export async function lastConfirmation(tx: Tx, buyerKey: string, { from, until }: Span): Promise<Date | null> {
  const [row] = await tx.query(lastConfirmationSql, {
    buyerKey,
    deliveredFrom: new Date(from),
    deliveredBefore: new Date(until),
  });
  return row?.at ?? null;
}
