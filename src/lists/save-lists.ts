// Creates, changes and removes lists, and removes single values from them (contract 15.1).
import { appendAudit } from '../audit/append-audit.ts';
import type { AuditAuthor, AuditChanges } from '../audit/audit-event.ts';
import { type ListId, newUuid, typeId } from '../base/ids.ts';
import { done, type Outcome, refuse } from '../base/outcome.ts';
import { bumpConfigVersion } from '../marketplace/config-version.ts';
import { int8Array } from '../platform/database/binary-array.ts';
import type { Tx } from '../platform/database/database.ts';
import { definitionFault, type DefinitionFault, type KnownKeys, targetsOf } from './list-definition.rules.ts';
import { deleteValues, lockCurrentLoads } from './list-entry.sql.ts';
import { hashesOfValue } from './list-hash.ts';
import { readListValue } from './list-value.rules.ts';
import { changeListSql, countLists, insertList, lockList, removeListSql } from './list.sql.ts';
import { type List, type ListDefinition, PARTNER_LISTS_MAX } from './list.ts';
import { readList } from './read-lists.ts';

export type CreateRefusal = DefinitionFault['code'] | 'list_key_taken' | 'too_many_lists';

/** The new version of the configuration has every process look up values of the list's kind. The refusals say the reason in `detail`. */
export async function createList(
  tx: Tx,
  { definition, known, author }: { definition: ListDefinition; known: KnownKeys; author: AuditAuthor },
  now: Date,
): Promise<Outcome<List, CreateRefusal>> {
  const fault = definitionFault(definition, known);
  if (fault !== null) return refuse(fault.code, fault.message);
  await bumpConfigVersion(tx);
  const { buyerKey, key } = definition;
  if (buyerKey !== null) {
    // Counted under the lock of the version, so that two requests at once cannot both be the last.
    const [count] = await tx.query(countLists, { buyerKey, isOperators: false, search: null });
    if ((count?.total ?? 0) >= PARTNER_LISTS_MAX)
      return refuse('too_many_lists', `A partner has at most ${PARTNER_LISTS_MAX} lists. Remove one first.`);
  }
  const [created] = await tx.query(insertList, { ...definition, listId: newUuid(), now });
  if (created === undefined) return refuse('list_key_taken', `There is a list with the key ${key} already.`);
  const { name, kind, use, partners, offers } = definition;
  const changes = { key, name, kind, use, partners: [...partners], offers: [...offers] };
  await recordChange(
    tx,
    { list: { ...created, buyerKey }, action: 'list.created', changes: newValues(changes), author },
    now,
  );
  const list = await readList(tx, created.listId, buyerKey === null ? 'operator' : { buyerKey });
  return list === null ? refuse('list_key_taken') : done(list);
}

/** What is left out stays. */
export type ListChange = Partial<Pick<ListDefinition, 'name' | 'partners' | 'offers'>>;

/** From the next batch of leads on the list counts for those that it names then. The refusals say the reason in `detail`. */
export async function changeList(
  tx: Tx,
  { list, change, known, author }: { list: List; change: ListChange; known: KnownKeys; author: AuditAuthor },
  now: Date,
): Promise<Outcome<List, DefinitionFault['code'] | 'list_removed'>> {
  const { listId, buyerKey } = list;
  const owner = buyerKey === null ? 'operator' : { buyerKey };
  // Of two changes at once the second one starts from the result of the first.
  await tx.query(lockList, { listId });
  const before = await readList(tx, listId, owner);
  if (before === null) return refuse('list_removed');
  const stated = { ...before, ...change };
  const after = { ...stated, ...targetsOf(stated) };
  const fault = definitionFault(after, known);
  if (fault !== null) return refuse(fault.code, fault.message);
  const { name, partners, offers } = after;
  const changes = changedValues(before, { name, partners, offers });
  if (Object.keys(changes).length === 0) return done(before);
  await tx.query(changeListSql, { listId, name, partners, offers });
  await recordChange(tx, { list, action: 'list.changed', changes, author }, now);
  return done(after);
}

/** From the commit on the list counts for nothing; its entries are deleted later. False if it was removed already. */
export async function removeList(
  tx: Tx,
  { list, author }: { list: List; author: AuditAuthor },
  now: Date,
): Promise<boolean> {
  // First, as a load does that ends: the two then wait for each other.
  await tx.query(lockList, { listId: list.listId });
  const [removed] = await tx.query(removeListSql, { listId: list.listId, now });
  if (removed === undefined) return false;
  const changes = { key: { from: list.key, to: null }, entries: { from: list.entries, to: null } };
  await recordChange(tx, { list, action: 'list.removed', changes, author }, now);
  return true;
}

export type RemovedValues = {
  /** How many of the values the list had. */
  readonly removed: number;
  /** Positions, from 0, of texts that are no value of the list's kind; then nothing is removed. */
  readonly invalid: readonly number[];
};

/** Values that a load brings again are on the list again. */
export async function removeValues(
  tx: Tx,
  { list, values, author }: { list: List; values: readonly string[]; author: AuditAuthor },
  now: Date,
): Promise<RemovedValues> {
  const read = values.map((text) => readListValue(list.kind, text, { hashed: false }));
  const invalid = read.flatMap((value, index) => (value === null ? [index] : []));
  if (invalid.length > 0) return { removed: 0, invalid };
  // A load that becomes current meanwhile would bring the values again: it comes before or after.
  await tx.query(lockList, { listId: list.listId });
  await tx.query(lockCurrentLoads, { listId: list.listId });
  const hashes = new Set(read.flatMap((value) => (value === null ? [] : hashesOfValue(list.kind, value))));
  const [row] = await tx.query(deleteValues, { listId: list.listId, hashes: int8Array([...hashes]) });
  // One that the list has in two spellings is one value.
  const removed = Math.min(row?.removed ?? 0, values.length);
  // The values themselves are personal data and are not written into the audit log.
  const changes = { removed: { from: null, to: removed } };
  if (removed > 0) await recordChange(tx, { list, action: 'list.values_removed', changes, author }, now);
  return { removed, invalid };
}

type Change = {
  readonly list: { readonly listId: ListId; readonly buyerKey: string | null };
  readonly action: 'list.created' | 'list.changed' | 'list.loaded' | 'list.removed' | 'list.values_removed';
  readonly changes: AuditChanges;
  readonly author: AuditAuthor;
};

/** A partner sees the changes of its own lists in its audit log. */
export async function recordChange(tx: Tx, { list, action, changes, author }: Change, now: Date): Promise<void> {
  const { listId, buyerKey } = list;
  const target = typeId('list', listId);
  const event = {
    at: now,
    actor: author.actor,
    buyerKey,
    supplierKey: null,
    action,
    target,
    changes,
    ...author.origin,
  };
  await appendAudit(tx, [event]);
}

function changedValues(before: List, after: Pick<List, 'name' | 'partners' | 'offers'>): AuditChanges {
  const names = ['name', 'partners', 'offers'] as const;
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return Object.fromEntries(changed.map((name) => [name, { from: before[name], to: after[name] }]));
}

function newValues(values: Readonly<Record<string, AuditChanges[string]['to']>>): AuditChanges {
  return Object.fromEntries(Object.entries(values).map(([field, to]) => [field, { from: null, to }]));
}
