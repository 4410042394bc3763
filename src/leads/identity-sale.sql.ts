// SQL statements for the sales of identities, which detect duplicates.
import type { DeliveryId } from '../base/ids.ts';
import { statement } from '../platform/database/database.ts';
import type { IdentityHash } from './identity.rules.ts';

/** Locks, and if needed inserts, one row per identity, in the same order for all workers: equal leads wait for each other. */
export const lockIdentitiesSql = statement<{ readonly identityHashes: Buffer; readonly now: Date }>(
  'leads.lock_persons',
  `INSERT INTO person_sale (person_hash, scope, seen_at)
   SELECT hash, '*', $now FROM (SELECT DISTINCT unnest($identityHashes::bigint[]) AS hash) AS u ORDER BY hash
   ON CONFLICT (person_hash, scope) DO UPDATE SET seen_at = excluded.seen_at`,
);

/** OFFSET 0 forces an index lookup per identity: without statistics the planner would read the whole table. */
export const selectSales = statement<
  { readonly hashes: Buffer; readonly since: Date },
  { hash: IdentityHash; scope: string }
>(
  'leads.select_sales',
  `SELECT u.hash::text AS hash, s.scope FROM unnest($hashes::bigint[]) AS u (hash)
   CROSS JOIN LATERAL (SELECT scope FROM person_sale WHERE person_hash = u.hash AND sold_at >= $since OFFSET 0) AS s`,
);

export const recordSales = statement<{
  readonly hashes: Buffer;
  readonly scopes: Buffer;
  readonly deliveryIds: Buffer;
  readonly now: Date;
}>(
  'leads.record_sales',
  `INSERT INTO person_sale (person_hash, scope, delivery_id, sold_at, seen_at)
   SELECT hash, scope, delivery_id, $now, $now
   FROM unnest($hashes::bigint[], $scopes::text[], $deliveryIds::uuid[]) AS u (hash, scope, delivery_id) ORDER BY hash, scope
   ON CONFLICT (person_hash, scope) DO UPDATE
     SET delivery_id = excluded.delivery_id, sold_at = excluded.sold_at, seen_at = excluded.seen_at`,
);

/**
 * Sales by another system, which have no delivery here. The later of two sales of an identity in a scope stays. Returns what was written.
 * All workers lock the rows of the scope '*' first, by hash, and then the others: the same order, so that none waits in a circle.
 */
export const recordPastSalesSql = statement<
  { readonly hashes: Buffer; readonly scopes: Buffer; readonly soldAts: Buffer },
  { hash: IdentityHash; scope: string }
>(
  'leads.record_past_sales',
  `INSERT INTO person_sale (person_hash, scope, delivery_id, sold_at, seen_at)
   SELECT hash, scope, NULL, sold_at, sold_at
   FROM unnest($hashes::bigint[], $scopes::text[], $soldAts::timestamptz[]) AS u (hash, scope, sold_at)
   ORDER BY scope <> '*', hash, scope
   ON CONFLICT (person_hash, scope) DO UPDATE
     SET delivery_id = NULL, sold_at = excluded.sold_at, seen_at = greatest(person_sale.seen_at, excluded.seen_at)
     WHERE person_sale.sold_at IS NULL OR person_sale.sold_at < excluded.sold_at
   RETURNING person_hash::text AS hash, scope`,
);

export const deleteSales = statement<{ readonly deliveryIds: readonly DeliveryId[] }>(
  'leads.purge_sales',
  `WITH old AS (
     SELECT person_hash, scope FROM person_sale WHERE delivery_id = ANY($deliveryIds::uuid[]) ORDER BY person_hash, scope FOR UPDATE
   )
   UPDATE person_sale p SET delivery_id = NULL, sold_at = NULL FROM old
   WHERE p.person_hash = old.person_hash AND p.scope = old.scope`,
);

/** The number of blocks of the table. */
export const measureSales = statement<void, { blocks: number }>(
  'leads.measure_sales',
  `SELECT pg_relation_size('person_sale') / current_setting('block_size')::bigint AS blocks`,
);

/** By range of blocks, because an index by time would slow down every sale. Locked rows are left for the next run. */
export const purgeOldSales = statement<
  { readonly fromPage: string; readonly beforePage: string; readonly soldBefore: Date },
  { purged: number }
>(
  'leads.purge_old_sales',
  `WITH old AS (
     SELECT person_hash, scope FROM person_sale
     WHERE ctid >= $fromPage::text::tid AND ctid < $beforePage::text::tid AND coalesce(sold_at, seen_at) < $soldBefore FOR UPDATE SKIP LOCKED
   ), purged AS (
     DELETE FROM person_sale p USING old WHERE p.person_hash = old.person_hash AND p.scope = old.scope RETURNING 1
   )
   SELECT count(*) AS purged FROM purged`,
);
