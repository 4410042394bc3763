// SQL on the entries of lists: look-up, writing of a part, and deletion of what no longer counts.
import type { ListId } from '../base/ids.ts';
import { statement } from '../platform/database/database.ts';
import type { ListHash, ListKind, ListUse } from './list.ts';

export type HitRow = {
  hash: ListHash;
  listKey: string;
  kind: ListKind;
  use: ListUse;
  buyerKey: string | null;
  partners: string[];
  offers: string[];
};

/**
 * The current lists that have any of the hashes. OFFSET 0 forces a descent of the index per hash, and one per entry found: without
 * statistics the planner would read whole tables.
 */
export const lookUpSql = statement<{ readonly hashes: Buffer; readonly now: Date }, HitRow>(
  'lists.look_up',
  `SELECT u.hash::text AS hash, l.key AS "listKey", l.kind, l.use, l.buyer_key AS "buyerKey", l.partners, l.offers
   FROM unnest($hashes::bigint[]) AS u (hash)
   CROSS JOIN LATERAL (
     SELECT load_id FROM list_entry WHERE hash = u.hash AND (expires_at IS NULL OR expires_at > $now) OFFSET 0) AS e
   CROSS JOIN LATERAL (SELECT list_id FROM list_load WHERE load_id = e.load_id AND state = 'current' OFFSET 0) AS d
   CROSS JOIN LATERAL (
     SELECT key, kind, use, buyer_key, partners, offers FROM list WHERE list_id = d.list_id AND removed_at IS NULL OFFSET 0) AS l`,
);

/**
 * Writes different values of a load; of a value that it has already the later expiry stays. Returns how many were new, and with `isAdd` how
 * many of these another current load of the list has. Sorted by the caller, so that neighbours in the index are written one after the other.
 */
export const writeEntries = statement<
  {
    readonly listId: ListId;
    readonly loadId: number;
    readonly isAdd: boolean;
    readonly hashes: Buffer;
    readonly expiries: Buffer;
  },
  { added: number; repeated: number }
>(
  'lists.write_entries',
  `WITH written AS (
     INSERT INTO list_entry (hash, load_id, expires_at)
     SELECT u.hash, $loadId, u.expires_at FROM unnest($hashes::bigint[], $expiries::timestamptz[]) AS u (hash, expires_at)
     ON CONFLICT (hash, load_id) DO UPDATE SET expires_at = excluded.expires_at
       WHERE list_entry.expires_at IS NOT NULL AND (excluded.expires_at IS NULL OR excluded.expires_at > list_entry.expires_at)
     RETURNING hash, xmax = 0 AS is_new
   )
   SELECT count(*) FILTER (WHERE w.is_new) AS added, count(*) FILTER (WHERE w.is_new AND k.is_known) AS repeated
   FROM written w LEFT JOIN LATERAL (
     SELECT true AS is_known
     FROM (SELECT load_id FROM list_entry WHERE $isAdd::boolean AND hash = w.hash OFFSET 0) AS e
     CROSS JOIN LATERAL (
       SELECT FROM list_load WHERE load_id = e.load_id AND list_id = $listId AND state = 'current' OFFSET 0) AS d
     LIMIT 1) AS k ON true`,
);

/** Which of the hashes the load has. */
export const matchEntries = statement<
  { readonly loadId: number; readonly hashes: Buffer; readonly now: Date },
  { hash: ListHash }
>(
  'lists.match_entries',
  `SELECT u.hash::text AS hash FROM unnest($hashes::bigint[]) AS u (hash)
   CROSS JOIN LATERAL (
     SELECT FROM list_entry WHERE hash = u.hash AND load_id = $loadId AND (expires_at IS NULL OR expires_at > $now) OFFSET 0) AS e`,
);

/** How long the values are on the list: null for ever. No row for a value that is not on it. */
export const findEntries = statement<
  { readonly listId: ListId; readonly hashes: Buffer; readonly now: Date },
  { hash: ListHash; expiresAt: Date | null }
>(
  'lists.find_entries',
  `SELECT DISTINCT ON (e.hash) e.hash::text AS hash, e.expires_at AS "expiresAt"
   FROM list_entry e JOIN list_load d USING (load_id)
   WHERE e.hash = ANY($hashes::bigint[]) AND d.list_id = $listId AND d.state = 'current' AND (e.expires_at IS NULL OR e.expires_at > $now)
   ORDER BY e.hash, e.expires_at DESC NULLS FIRST`,
);

/** What counts entries off locks their loads first, in this order, as parts do. */
export const lockCurrentLoads = statement<{ readonly listId: ListId }, { loadId: number }>(
  'lists.lock_current_loads',
  `SELECT load_id AS "loadId" FROM list_load WHERE list_id = $listId AND state = 'current' ORDER BY load_id FOR UPDATE`,
);

export const lockLivingLoads = statement<void, { loadId: number }>(
  'lists.lock_living_loads',
  `SELECT load_id AS "loadId" FROM list_load WHERE state <> 'discarded' ORDER BY load_id FOR UPDATE`,
);

/**
 * Deletes values from the current loads of a list, and counts them off. Returns how many values the list had. What a load under way has
 * counted as repeated may not be so any more.
 */
export const deleteValues = statement<{ readonly listId: ListId; readonly hashes: Buffer }, { removed: number }>(
  'lists.delete_values',
  `WITH gone AS (
     DELETE FROM list_entry e USING list_load d
     WHERE e.hash = ANY($hashes::bigint[]) AND d.load_id = e.load_id AND d.list_id = $listId AND d.state = 'current'
     RETURNING e.hash, e.load_id
   ), counted AS (
     UPDATE list_load d
     SET entries = d.entries - g.removed, repeated = d.repeated - CASE WHEN d.load_id = a.newest THEN a.repeats ELSE 0 END
     FROM (SELECT load_id, count(*) AS removed FROM gone GROUP BY 1) AS g,
          (SELECT max(load_id) AS newest, count(*) - count(DISTINCT hash) AS repeats FROM gone) AS a
     WHERE d.load_id = g.load_id
   ), unsure AS (
     UPDATE list_load SET repeated = 0
     WHERE list_id = $listId AND state = 'loading' AND repeated <> 0 AND EXISTS (SELECT FROM gone)
   )
   SELECT count(DISTINCT hash) AS removed FROM gone`,
);

/** Loads that got no part for long: their process was killed, or their upload was cut off. */
export const discardAbandoned = statement<{ readonly touchedBefore: Date; readonly now: Date }>(
  'lists.discard_abandoned',
  `UPDATE list_load SET state = 'discarded', ended_at = $now WHERE state = 'loading' AND touched_at < $touchedBefore`,
);

export const selectDiscarded = statement<void, { loadId: number }>(
  'lists.discarded',
  `SELECT load_id AS "loadId" FROM list_load WHERE state = 'discarded' ORDER BY load_id`,
);

/** The number of blocks of the table. */
export const measureEntries = statement<void, { blocks: number }>(
  'lists.measure_entries',
  `SELECT pg_relation_size('list_entry') / current_setting('block_size')::bigint AS blocks`,
);

/**
 * By range of blocks, because an index by load or by expiry would slow down every load. Of a value that several current loads of a list have
 * all but one entry are repeats: each entry that goes is one less, until the last one.
 */
export const purgeEntries = statement<
  {
    readonly fromPage: string;
    readonly beforePage: string;
    readonly loadIds: readonly number[];
    readonly expiredBefore: Date;
  },
  { purged: number }
>(
  'lists.purge_entries',
  `WITH gone AS (
     DELETE FROM list_entry WHERE ctid >= $fromPage::text::tid AND ctid < $beforePage::text::tid
       AND (load_id = ANY($loadIds::int[]) OR expires_at < $expiredBefore) RETURNING hash, load_id
   ), expired AS (
     SELECT d.load_id, d.list_id, d.state, count(*) AS entries
     FROM gone JOIN list_load d USING (load_id) WHERE load_id <> ALL($loadIds::int[]) GROUP BY 1
   ), values_gone AS (
     SELECT d.list_id, g.hash, count(*) AS entries FROM gone g JOIN list_load d USING (load_id) WHERE d.state = 'current' GROUP BY 1, 2
   ), repeats AS (
     SELECT v.list_id, sum(least(v.entries, b.entries - 1)) AS entries
     FROM values_gone v CROSS JOIN LATERAL (
       SELECT count(*) AS entries FROM list_entry e JOIN list_load d USING (load_id)
       WHERE e.hash = v.hash AND d.list_id = v.list_id AND d.state = 'current') AS b
     GROUP BY 1
   ), counted AS (
     UPDATE list_load d SET entries = d.entries - e.entries, repeated = d.repeated - coalesce(r.entries, 0)
     FROM expired e LEFT JOIN repeats r
       ON r.list_id = e.list_id AND e.load_id = (SELECT max(x.load_id) FROM expired x WHERE x.list_id = e.list_id AND x.state = 'current')
     WHERE d.load_id = e.load_id
   ), unsure AS (
     UPDATE list_load SET repeated = 0
     WHERE state = 'loading' AND repeated <> 0 AND list_id IN (SELECT list_id FROM expired) AND load_id NOT IN (SELECT load_id FROM expired)
   )
   SELECT count(*) AS purged FROM gone`,
);

/** After their entries. */
export const deleteLoads = statement<{ readonly loadIds: readonly number[] }>(
  'lists.delete_loads',
  `DELETE FROM list_load WHERE load_id = ANY($loadIds::int[]) AND state = 'discarded'`,
);

export const deleteRemovedLists = statement(
  'lists.delete_removed',
  `DELETE FROM list l WHERE removed_at IS NOT NULL AND NOT EXISTS (SELECT FROM list_load d WHERE d.list_id = l.list_id)`,
);
