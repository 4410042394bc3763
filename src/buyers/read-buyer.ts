// Reads one buyer as it is in the database at this moment, whatever a process still has in memory.
import type { Tx } from '../platform/database/database.ts';
import { buyerOfRow } from './buyer-row.rules.ts';
import { readBuyerSql } from './buyer.sql.ts';
import type { Buyer } from './buyer.ts';

/** Null where there is none. */
export async function readBuyer(tx: Tx, buyerKey: string): Promise<Buyer | null> {
  const [row] = await tx.query(readBuyerSql, { buyerKey });
  return row === undefined ? null : buyerOfRow(row);
}
