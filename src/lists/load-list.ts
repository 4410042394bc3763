// Loads a list part by part. Its entries count all at once, when the last part has come and the load is finished; a load that was cut off
// never counts (contract 15.4; decision 070).
import type { AuditAuthor } from '../audit/audit-event.ts';
import { done, type Outcome, refuse } from '../base/outcome.ts';
import { int8Array, timestamptzArray } from '../platform/database/binary-array.ts';
import type { Tx } from '../platform/database/database.ts';
import { writeEntries } from './list-entry.sql.ts';
import {
  countCurrent,
  countPart,
  countStoredOf,
  discardLoadSql,
  discardOpenLoads,
  finishLoadSql,
  insertLoad,
  lockList,
  lockLoad,
} from './list.sql.ts';
import {
  ENTRIES_MAX,
  type List,
  type ListLoad,
  type LoadOptions,
  type NewEntry,
  PARTNER_ENTRIES_MAX,
  PARTNER_STORED_MAX,
  type RecentMatches,
} from './list.ts';
import { distinctEntries } from './list-part.rules.ts';
import { recordChange } from './save-lists.ts';

type ListOf = Pick<List, 'listId' | 'buyerKey'>;

export async function beginLoad(
  tx: Tx,
  { list, options, author }: { list: ListOf; options: LoadOptions; author: AuditAuthor },
  now: Date,
): Promise<Outcome<ListLoad, 'list_removed'>> {
  if ((await tx.query(lockList, { listId: list.listId })).length === 0) return refuse('list_removed');
  // Of a partner's list only one is under way, so that loads that never end cannot fill the disk.
  if (list.buyerKey !== null) await tx.query(discardOpenLoads, { listId: list.listId, now });
  const [load] = await tx.query(insertLoad, { ...options, listId: list.listId, begunBy: author.actor.name, now });
  return load === undefined ? refuse('list_removed') : done(load);
}

export type ListPart = {
  /** From 1. A part that was written before changes nothing, so that a part without a response is sent again. */
  readonly number: number;
  readonly entries: readonly NewEntry[];
  /** Values with an error, which were left out. */
  readonly rejected: number;
};

export type PartRefusal = 'load_not_open' | 'part_out_of_order' | 'list_too_large';

/** The refusals say the reason in `detail`. Parts of one load wait for each other. */
export async function addPart(
  tx: Tx,
  { list, loadId, part }: { list: ListOf; loadId: number; part: ListPart },
  now: Date,
): Promise<Outcome<ListLoad, PartRefusal>> {
  const [load] = await tx.query(lockLoad, { listId: list.listId, loadId });
  if (load?.state !== 'loading') return refuse('load_not_open', closedText(load));
  if (part.number <= load.parts) return done(load);
  if (part.number !== load.parts + 1) return refuse('part_out_of_order', `The next part is number ${load.parts + 1}.`);
  const most = list.buyerKey === null ? ENTRIES_MAX : PARTNER_ENTRIES_MAX;
  const kept = load.mode === 'add' ? await countEntries(tx, list) : 0;
  if (kept + load.entries + part.entries.length > most)
    return refuse('list_too_large', `A list has at most ${most} entries.`);
  const stored = list.buyerKey === null ? 0 : await countStored(tx, list.buyerKey);
  if (stored + part.entries.length > PARTNER_STORED_MAX) {
    const counted = 'with loads under way, and replaced ones until they are deleted some minutes later';
    return refuse('list_too_large', `The lists of a partner have at most ${PARTNER_STORED_MAX} entries, ${counted}.`);
  }
  let [added, repeated] = [0, 0];
  for (let from = 0; from < part.entries.length; from += ENTRIES_AT_ONCE) {
    const entries = distinctEntries(part.entries.slice(from, from + ENTRIES_AT_ONCE));
    const [written] = await tx.query(writeEntries, {
      ...{ listId: list.listId, loadId, isAdd: load.mode === 'add' },
      hashes: int8Array(entries.map(({ hash }) => hash)),
      expiries: timestamptzArray(entries.map(({ expiresAt }) => expiresAt)),
    });
    added += written?.added ?? 0;
    repeated += written?.repeated ?? 0;
  }
  const [counted] = await tx.query(countPart, { loadId, entries: added, repeated, rejected: part.rejected, now });
  return done(counted ?? load);
}

/** Some milliseconds of sorting, between which others are served while the database writes. */
const ENTRIES_AT_ONCE = 5000;

type Finish = {
  readonly list: ListOf;
  readonly loadId: number;
  readonly parts: number;
  readonly author: AuditAuthor;
  /** Counted before, outside of the transaction. */
  readonly recent?: RecentMatches | null;
};

/**
 * `parts` is how many the sender has sent: fewer have come if one was lost. Safe to repeat. From the commit on each routed lead meets all
 * entries or, if its batch began before, none of them.
 */
export async function finishLoad(
  tx: Tx,
  { list, loadId, parts, author, recent = null }: Finish,
  now: Date,
): Promise<Outcome<ListLoad, 'load_not_open' | 'part_out_of_order'>> {
  if ((await tx.query(lockList, { listId: list.listId })).length === 0) return refuse('load_not_open', closedText());
  const [load] = await tx.query(lockLoad, { listId: list.listId, loadId });
  if (load?.state === 'current' && load.parts === parts) return done(load);
  if (load?.state !== 'loading') return refuse('load_not_open', closedText(load));
  if (load.parts !== parts) return refuse('part_out_of_order', `${load.parts} parts have come, not ${parts}.`);
  const isReplace = load.mode === 'replace';
  const before = await countEntries(tx, list);
  const [finished] = await tx.query(finishLoadSql, {
    ...{ listId: list.listId, loadId, isReplace, now },
    ...{ recentLeads: recent?.leads ?? null, recentMatches: recent?.entries ?? null },
  });
  if (finished === undefined) return refuse('load_not_open', closedText(load));
  const changes = {
    mode: { from: null, to: load.mode },
    entries: { from: before, to: await countEntries(tx, list) },
    rejected: { from: null, to: load.rejected },
  };
  await recordChange(tx, { list, action: 'list.loaded', changes, author }, now);
  return done(finished);
}

/** For a load that will not be finished; its entries never counted. Null, without a change, for one that has ended. */
export async function discardLoad(tx: Tx, loadId: number, now: Date): Promise<ListLoad | null> {
  const [discarded] = await tx.query(discardLoadSql, { loadId, now });
  return discarded ?? null;
}

async function countEntries(tx: Tx, { listId }: ListOf): Promise<number> {
  const [row] = await tx.query(countCurrent, { listId });
  return row?.entries ?? 0;
}

async function countStored(tx: Tx, buyerKey: string): Promise<number> {
  const [row] = await tx.query(countStoredOf, { buyerKey });
  return row?.entries ?? 0;
}

function closedText(load?: Pick<ListLoad, 'state'>): string {
  if (load === undefined) return 'There is no such load.';
  return load.state === 'current' ? 'The load is finished already.' : 'The load was discarded. Begin another one.';
}
