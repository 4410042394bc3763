// Lists buyers by their names, a page at a time, for the operator's console.
import type { Tx } from '../platform/database/database.ts';
import { buyerOfRow } from './buyer-row.rules.ts';
import { countWantedBuyersSql, listBuyersSql } from './buyer.sql.ts';
import type { Buyer, BuyerStatus } from './buyer.ts';

export type BuyerQuery = {
  /** Part of a key or name. */
  readonly search: string | null;
  readonly status: BuyerStatus | null;
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
};

export async function listBuyers(
  tx: Tx,
  { search, status, page, pageSize }: BuyerQuery,
): Promise<{ total: number; buyers: Buyer[] }> {
  const [count] = await tx.query(countWantedBuyersSql, { search, status });
  const rows = await tx.query(listBuyersSql, { search, status, pageSize, offset: (page - 1) * pageSize });
  return { total: count?.total ?? 0, buyers: rows.map(buyerOfRow) };
}
