// SQL on lists and their loads.
import type { ListId } from '../base/ids.ts';
import { statement } from '../platform/database/database.ts';
import type { List, ListDefinition, ListKind, ListLoad, ListUse, LoadMode } from './list.ts';

/** Kinds that at least one list has. */
export const selectKinds = statement<void, { kind: ListKind }>(
  'lists.kinds',
  `SELECT DISTINCT kind FROM list WHERE removed_at IS NULL`,
);

export const insertList = statement<
  Omit<ListDefinition, 'kind' | 'use'> & {
    readonly listId: ListId;
    readonly kind: string;
    readonly use: string;
    readonly now: Date;
  },
  { listId: ListId }
>(
  'lists.insert',
  `INSERT INTO list (list_id, buyer_key, key, name, kind, use, partners, offers, created_at)
   VALUES ($listId, $buyerKey, $key, $name, $kind, $use, $partners::text[], $offers::text[], $now)
   ON CONFLICT (coalesce(buyer_key, ''), key) WHERE removed_at IS NULL DO NOTHING RETURNING list_id AS "listId"`,
);

const LISTED = `l.list_id AS "listId", l.key, l.name, l.kind, l.use, l.buyer_key AS "buyerKey", l.partners, l.offers, l.created_at AS "createdAt",
   coalesce(d.entries, 0)::bigint AS entries, d.loaded_at AS "loadedAt",
   d.recent_leads AS "recentLeads", d.recent_matches AS "recentMatches"`;
const WITH_LOADS = `list l CROSS JOIN LATERAL (
     SELECT sum(entries - repeated) FILTER (WHERE state = 'current') AS entries, max(ended_at) FILTER (WHERE state = 'current') AS loaded_at,
       (array_agg(recent_leads ORDER BY load_id DESC) FILTER (WHERE state = 'current'))[1] AS recent_leads,
       (array_agg(recent_matches ORDER BY load_id DESC) FILTER (WHERE state = 'current'))[1] AS recent_matches
     FROM list_load WHERE list_id = l.list_id) AS d`;

export type ListRow = Omit<List, 'kind' | 'use'> & { kind: ListKind; use: ListUse };

/** $buyerKey null: of all owners. $isOperators: only the operator's own. */
const OWNED = `l.removed_at IS NULL AND ($buyerKey::text IS NULL OR l.buyer_key = $buyerKey)
   AND (NOT $isOperators::boolean OR l.buyer_key IS NULL)`;

export type OwnerParams = { readonly buyerKey: string | null; readonly isOperators: boolean };

export const listsAfter = statement<OwnerParams & { readonly after: string; readonly limit: number }, ListRow>(
  'lists.after',
  `SELECT ${LISTED} FROM ${WITH_LOADS} WHERE ${OWNED} AND l.list_id > $after::uuid ORDER BY l.list_id LIMIT $limit`,
);

export const pageOfLists = statement<
  OwnerParams & { readonly search: string | null; readonly offset: number; readonly limit: number },
  ListRow
>(
  'lists.page',
  `SELECT ${LISTED} FROM ${WITH_LOADS} WHERE ${OWNED}
     AND ($search::text IS NULL OR strpos(lower(l.key || ' ' || l.name), lower($search)) > 0)
   ORDER BY l.list_id DESC OFFSET $offset LIMIT $limit`,
);

export const countLists = statement<OwnerParams & { readonly search: string | null }, { total: number }>(
  'lists.count',
  `SELECT count(*) AS total FROM list l WHERE ${OWNED}
     AND ($search::text IS NULL OR strpos(lower(l.key || ' ' || l.name), lower($search)) > 0)`,
);

export const selectList = statement<OwnerParams & { readonly listId: ListId }, ListRow>(
  'lists.select',
  `SELECT ${LISTED} FROM ${WITH_LOADS} WHERE ${OWNED} AND l.list_id = $listId`,
);

/** By the owner and key: null is the operator. */
export const selectListByKey = statement<{ readonly buyerKey: string | null; readonly key: string }, ListRow>(
  'lists.select_by_key',
  `SELECT ${LISTED} FROM ${WITH_LOADS}
   WHERE l.removed_at IS NULL AND coalesce(l.buyer_key, '') = coalesce($buyerKey::text, '') AND l.key = $key`,
);

/** Loads of one list end one after the other. */
export const lockList = statement<{ readonly listId: ListId }, { listId: ListId }>(
  'lists.lock',
  `SELECT list_id AS "listId" FROM list WHERE list_id = $listId AND removed_at IS NULL FOR UPDATE`,
);

export const changeListSql = statement<
  Pick<ListDefinition, 'name' | 'partners' | 'offers'> & { readonly listId: ListId }
>(
  'lists.change',
  `UPDATE list SET name = $name, partners = $partners::text[], offers = $offers::text[] WHERE list_id = $listId`,
);

export const removeListSql = statement<{ readonly listId: ListId; readonly now: Date }, { listId: ListId }>(
  'lists.remove',
  `WITH discarded AS (
     UPDATE list_load SET state = 'discarded', ended_at = $now WHERE list_id = $listId AND state <> 'discarded')
   UPDATE list SET removed_at = $now WHERE list_id = $listId AND removed_at IS NULL RETURNING list_id AS "listId"`,
);

const LOAD = `load_id AS "loadId", state, mode, hashed, skip_invalid AS "skipInvalid", expires_at AS "expiresAt", parts, entries, rejected,
   begun_at AS "begunAt", begun_by AS "begunBy", ended_at AS "endedAt", recent_leads AS "recentLeads", recent_matches AS "recentMatches"`;

export type LoadRow = Omit<ListLoad, 'state' | 'mode'> & { state: ListLoad['state']; mode: LoadMode };

export const insertLoad = statement<
  {
    readonly listId: ListId;
    readonly mode: string;
    readonly hashed: boolean;
    readonly skipInvalid: boolean;
    readonly expiresAt: Date | null;
    readonly begunBy: string;
    readonly now: Date;
  },
  LoadRow
>(
  'lists.insert_load',
  `INSERT INTO list_load (list_id, state, mode, hashed, skip_invalid, expires_at, begun_at, begun_by, touched_at)
   VALUES ($listId, 'loading', $mode, $hashed, $skipInvalid, $expiresAt, $now, $begunBy, $now) RETURNING ${LOAD}`,
);

/** Newest first. */
export const selectLoads = statement<{ readonly listId: ListId; readonly limit: number }, LoadRow>(
  'lists.loads',
  `SELECT ${LOAD} FROM list_load WHERE list_id = $listId ORDER BY load_id DESC LIMIT $limit`,
);

export const selectLoad = statement<{ readonly listId: ListId; readonly loadId: number }, LoadRow>(
  'lists.load',
  `SELECT ${LOAD} FROM list_load WHERE list_id = $listId AND load_id = $loadId`,
);

export const lockLoad = statement<{ readonly listId: ListId; readonly loadId: number }, LoadRow>(
  'lists.lock_load',
  `SELECT ${LOAD} FROM list_load WHERE list_id = $listId AND load_id = $loadId FOR UPDATE`,
);

export const countPart = statement<
  {
    readonly loadId: number;
    readonly entries: number;
    readonly repeated: number;
    readonly rejected: number;
    readonly now: Date;
  },
  LoadRow
>(
  'lists.count_part',
  `UPDATE list_load
   SET parts = parts + 1, entries = entries + $entries, repeated = repeated + $repeated, rejected = rejected + $rejected, touched_at = $now
   WHERE load_id = $loadId RETURNING ${LOAD}`,
);

/** Different values of the current loads of a list. */
export const countCurrent = statement<{ readonly listId: ListId }, { entries: number }>(
  'lists.count_current',
  `SELECT coalesce(sum(entries - repeated), 0)::bigint AS entries FROM list_load WHERE list_id = $listId AND state = 'current'`,
);

/**
 * Makes a load current; with `replace` the other current ones go at the same instant. What loads under way have counted as repeated is then
 * repeated no more.
 */
export const finishLoadSql = statement<
  {
    readonly listId: ListId;
    readonly loadId: number;
    readonly isReplace: boolean;
    readonly recentLeads: number | null;
    readonly recentMatches: number | null;
    readonly now: Date;
  },
  LoadRow
>(
  'lists.finish_load',
  `WITH replaced AS (
     UPDATE list_load SET state = 'discarded', ended_at = $now
     WHERE $isReplace::boolean AND list_id = $listId AND state = 'current' AND load_id <> $loadId
   ), unsure AS (
     UPDATE list_load SET repeated = 0
     WHERE $isReplace::boolean AND list_id = $listId AND state = 'loading' AND repeated <> 0 AND load_id <> $loadId)
   UPDATE list_load SET state = 'current', ended_at = $now, recent_leads = $recentLeads, recent_matches = $recentMatches
   WHERE load_id = $loadId RETURNING ${LOAD}`,
);

export const discardLoadSql = statement<{ readonly loadId: number; readonly now: Date }, LoadRow>(
  'lists.discard_load',
  `UPDATE list_load SET state = 'discarded', ended_at = $now WHERE load_id = $loadId AND state = 'loading' RETURNING ${LOAD}`,
);

export const discardOpenLoads = statement<{ readonly listId: ListId; readonly now: Date }>(
  'lists.discard_open_loads',
  `UPDATE list_load SET state = 'discarded', ended_at = $now WHERE list_id = $listId AND state = 'loading'`,
);

/** Entries that a partner has in the table, in loads of any state: those of discarded ones are there until they are swept. */
export const countStoredOf = statement<{ readonly buyerKey: string }, { entries: number }>(
  'lists.count_stored',
  `SELECT coalesce(sum(d.entries), 0)::bigint AS entries FROM list l JOIN list_load d USING (list_id) WHERE l.buyer_key = $buyerKey`,
);
