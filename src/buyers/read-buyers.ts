// Reads buyers by key.
import type { Tx } from '../platform/database/database.ts';
import { buyerOfRow } from './buyer-row.rules.ts';
import { pageOfBuyersSql, readBuyersSql, readSomeBuyersSql } from './buyer.sql.ts';
import type { Buyer } from './buyer.ts';

/** In the order of their keys; only those of `keys` where some are given. */
export async function readBuyers(tx: Tx, keys?: readonly string[]): Promise<Map<string, Buyer>> {
  const rows = await (keys === undefined ? tx.query(readBuyersSql) : tx.query(readSomeBuyersSql, { keys }));
  return new Map(rows.map((row) => [row.buyerKey, buyerOfRow(row)]));
}

/** `limit` of those behind the key `after`, in the order of their keys. */
export async function pageBuyers(
  tx: Tx,
  { after, limit }: { readonly after: string | null; readonly limit: number },
): Promise<Buyer[]> {
  return (await tx.query(pageOfBuyersSql, { after: after ?? '', limit })).map(buyerOfRow);
}
