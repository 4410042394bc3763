// The verticals that a partner buys from, and the columns of its export and sheet for their fields and for parts of names (contract 14.4).
import type { Tx } from '../platform/database/database.ts';
import {
  appendNameColumnsSql,
  appendOwnColumnsSql,
  readOwnColumnsSql,
  readVerticalsBoughtSql,
} from './own-columns.sql.ts';

/**
 * Appends what is missing: the delivered fields of the verticals of all offers, closed ones included, verticals by key and each one's fields
 * in its order. Nothing is ever removed or moved. Needs the lock of the configuration.
 */
export async function appendOwnColumns(tx: Tx): Promise<void> {
  await tx.query(appendOwnColumnsSql);
}

export type NameColumn = { readonly buyerKey: string; readonly name: string };

/** Appends columns for parts of names to those of own fields, which have other names. Needs no lock. */
export async function appendNameColumns(tx: Tx, columns: readonly NameColumn[]): Promise<void> {
  await tx.query(appendNameColumnsSql, {
    buyerKeys: columns.map(({ buyerKey }) => buyerKey),
    names: columns.map(({ name }) => name),
  });
}

/** Names of own fields, and of parts of names. */
export async function readOwnColumns(tx: Tx, buyerKey: string): Promise<readonly string[]> {
  const [row] = await tx.query(readOwnColumnsSql, { buyerKey });
  return row?.names ?? [];
}

/** Keys of the verticals of its offers, closed offers left out; null, the last one, stands for leads of no vertical. */
export async function readVerticalsBought(tx: Tx, buyerKey: string): Promise<Array<string | null>> {
  const rows = await tx.query(readVerticalsBoughtSql, { buyerKey });
  return rows.map(({ key }) => key);
}
