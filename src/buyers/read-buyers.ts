// Reads every buyer by key.
import type { Tx } from '../platform/database/database.ts';
import { buyerOfRow, type BuyerRow } from './buyer-row.rules.ts';
import { readBuyersSql } from './buyer.sql.ts';
import type { Buyer } from './buyer.ts';

/** In the order of their keys. */
export async function readBuyers(tx: Tx): Promise<Map<string, Buyer>> {
  const rows = await tx.query<BuyerRow>(readBuyersSql);
  return new Map(rows.map((row) => [row.buyerKey, buyerOfRow(row)]));
}
