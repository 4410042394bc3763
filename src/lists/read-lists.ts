// Reads lists with their loads, and looks up single values in them (contract 15.1).
import { strict as assert } from 'node:assert';
import { FIRST_ID } from '../base/id-time.ts';
import { type ListId, type Uuid, uuidOf } from '../base/ids.ts';
import { int8Array } from '../platform/database/binary-array.ts';
import type { Tx } from '../platform/database/database.ts';
import { findEntries } from './list-entry.sql.ts';
import { hashesOfValue } from './list-hash.ts';
import { readListValue } from './list-value.rules.ts';
import {
  countLists,
  listsAfter,
  pageOfLists,
  selectList,
  selectListByKey,
  selectLoad,
  selectLoads,
} from './list.sql.ts';
import type { List, ListLoad } from './list.ts';

/** Whose lists: `all`, only the operator's own, or those of one partner. */
export type ListOwner = 'all' | 'operator' | { readonly buyerKey: string };

const ownerParams = (owner: ListOwner) => ({
  buyerKey: typeof owner === 'string' ? null : owner.buyerKey,
  isOperators: owner === 'operator',
});

/** By id, oldest first. */
export async function findLists(
  tx: Tx,
  { owner, after, limit }: { readonly owner: ListOwner; readonly after: Uuid | null; readonly limit: number },
): Promise<List[]> {
  return tx.query(listsAfter, { ...ownerParams(owner), after: after ?? FIRST_ID, limit });
}

export type ListPage = {
  readonly owner: ListOwner;
  readonly search: string | null;
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
};

/** Newest first, with the exact number of all. */
export async function listLists(
  tx: Tx,
  { owner, search, page, pageSize }: ListPage,
): Promise<{ readonly total: number; readonly lists: readonly List[] }> {
  const filter = { ...ownerParams(owner), search: search === '' ? null : search };
  const [count] = await tx.query(countLists, filter);
  assert(count !== undefined, 'a count always returns a row');
  const offset = (page - 1) * pageSize;
  const lists = offset >= count.total ? [] : await tx.query(pageOfLists, { ...filter, offset, limit: pageSize });
  return { total: count.total, lists };
}

/** Null for a list that does not exist or has another owner. */
export async function readList(tx: Tx, listId: ListId, owner: ListOwner): Promise<List | null> {
  const [list] = await tx.query(selectList, { ...ownerParams(owner), listId });
  return list ?? null;
}

/** By its id, or by the key that its owner gave it; `buyerKey` null: the operator. */
export async function readListByName(tx: Tx, name: string, buyerKey: string | null): Promise<List | null> {
  const listId = uuidOf('list', name);
  if (listId !== null) return readList(tx, listId, 'all');
  const [list] = await tx.query(selectListByKey, { buyerKey, key: name });
  return list ?? null;
}

/** Newest first, at most `limit`. */
export async function readLoads(tx: Tx, listId: ListId, limit: number): Promise<ListLoad[]> {
  return tx.query(selectLoads, { listId, limit });
}

/** Null for a load of another list. */
export async function readLoad(tx: Tx, listId: ListId, loadId: number): Promise<ListLoad | null> {
  const [load] = await tx.query(selectLoad, { listId, loadId });
  return load ?? null;
}

type Expiring = { readonly expiresAt: Date | null };

/** Null is never, the latest of all. */
function latestOf(entries: readonly Expiring[]): Expiring | null {
  const end = ({ expiresAt }: Expiring): number => expiresAt?.getTime() ?? Infinity;
  return entries.toSorted((one, other) => end(other) - end(one))[0] ?? null;
}

export type ValueOnList = { readonly isListed: boolean; readonly expiresAt: Date | null };

/** Null for text that is no value of the list's kind. */
export async function findValue(tx: Tx, { listId, kind }: List, text: string, now: Date): Promise<ValueOnList | null> {
  const value = readListValue(kind, text, { hashed: false });
  if (value === null) return null;
  // The list may have it in several spellings; the one that stays longest counts.
  const found = latestOf(await tx.query(findEntries, { listId, hashes: int8Array(hashesOfValue(kind, value)), now }));
  return { isListed: found !== null, expiresAt: found?.expiresAt ?? null };
}
