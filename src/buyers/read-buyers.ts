// Reads buyers from the database: one, some, all, or a page of a search.
import type { Tx } from '../platform/database/database.ts';
import { buyerOfRow } from './buyer-row.rules.ts';
import {
  pageOfBuyersSql,
  readBuyersSql,
  readSomeBuyersSql,
  readBuyerSql,
  countBuyersSql,
  listBuyersSql,
} from './buyer.sql.ts';
import type { Buyer, BuyerStatus } from './buyer.ts';

/** Ordered by key; only the buyers in `keys` if given. */
export async function readBuyers(tx: Tx, keys?: readonly string[]): Promise<Map<string, Buyer>> {
  const rows = await (keys === undefined ? tx.query(readBuyersSql) : tx.query(readSomeBuyersSql, { keys }));
  return new Map(rows.map((row) => [row.buyerKey, buyerOfRow(row)]));
}

/** The first `limit` buyers after the key `after`, ordered by key. */
export async function pageBuyers(
  tx: Tx,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<Buyer[]> {
  return (await tx.query(pageOfBuyersSql, { after: after ?? '', limit })).map(buyerOfRow);
}

/** The buyer as stored now, not as a process has cached it; null if there is none. */
export async function readBuyer(tx: Tx, buyerKey: string): Promise<Buyer | null> {
  const [row] = await tx.query(readBuyerSql, { buyerKey });
  return row === undefined ? null : buyerOfRow(row);
}

export type BuyerQuery = {
  /** A part of the key or name. */
  readonly search: string | null;
  readonly status: BuyerStatus | null;
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
};

/** All buyers that a query finds, ordered by name. */
export async function findBuyers(tx: Tx, { search, status }: Omit<BuyerQuery, 'page' | 'pageSize'>): Promise<Buyer[]> {
  return (await tx.query(listBuyersSql, { search, status, pageSize: null, offset: 0 })).map(buyerOfRow);
}

/** A page of buyers ordered by name, for the console. */
export async function listBuyers(
  tx: Tx,
  { search, status, page, pageSize }: BuyerQuery,
): Promise<{ total: number; buyers: Buyer[] }> {
  const [count] = await tx.query(countBuyersSql, { search, status });
  const rows = await tx.query(listBuyersSql, { search, status, pageSize, offset: (page - 1) * pageSize });
  return { total: count?.total ?? 0, buyers: rows.map(buyerOfRow) };
}
