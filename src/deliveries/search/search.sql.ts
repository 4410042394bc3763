// The SQL of finding a partner's deliveries by their persons.
import { statement } from '../../platform/database/database.ts';
import { deliveryViewColumns } from '../delivery.sql.ts';
import { forEachFilter } from '../row-filter.sql.ts';
import type { TermKind } from './search-query.rules.ts';
import type { Uuid } from '../../base/ids.ts';
import type { SoldRow } from '../delivery-row.ts';

/** A statement for each kind: the columns that its terms stand in, each with an index of its own. */
const COLUMNS: Readonly<Record<TermKind, readonly string[]>> = {
  name: ['name', 'name_from_2', 'name_from_3', 'name_from_last'],
  email: ['email'],
  phone: ['phone'],
};
const KINDS = ['name', 'email', 'phone'] as const;

/** One for each kind of term. */
export function forEachKind<Made>(make: (kind: TermKind) => Made): Readonly<Record<TermKind, Made>> {
  return Object.fromEntries(KINDS.map((kind) => [kind, make(kind)])) as Record<TermKind, Made>;
}

/** Expressions: the partner's key, the range, and LIKE patterns of all words, of which a name may hold some elsewhere. */
type SearchRange = {
  readonly buyerKey: string;
  readonly low: string;
  readonly high: string;
  readonly patterns: string | null;
};

/** Ids of deliveries with a term in a range, of a name perhaps more than once. */
export function deliveriesInRange(kind: TermKind, { buyerKey, low, high, patterns }: SearchRange): string {
  return COLUMNS[kind]
    .map((column) => {
      const words = patterns === null ? '' : ` AND (' ' || ${column}) LIKE ALL (${patterns})`;
      return `SELECT delivery_id FROM delivery_search s
        WHERE s.buyer_key = ${buyerKey} AND ${column} >= ${low} AND ${column} < ${high}${words}`;
    })
    .join(' UNION ALL ');
}

const IN_RANGE = { buyerKey: '$1', low: '$2', high: '$3', patterns: '$4::text[]' };

/** Of each range, counted no further than $4: more than that is as good as any number. */
export const measureRanges = forEachKind((kind) =>
  statement(
    `search.measure_${kind}`,
    `SELECT (SELECT count(*) FROM (SELECT FROM (${deliveriesInRange(kind, { buyerKey: '$1', low: 'r.low', high: 'r.high', patterns: null })}) AS inside LIMIT $4) AS counted) AS terms
     FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS r (low, high, place) ORDER BY r.place`,
  ),
);

/**
 * All that are found and that the filter lets through: how many, and the ids of a page, newest first. $2 and $3 range, $4 patterns, $5 how
 * many may be found by them; `hits` says whether that cut anything off. $6 and $7 name a delivery by id or number. $8 status, $9 kind,
 * $10 ≤ delivered_at < $11, each null for no condition; $12 and $13 the first and last place on the page, from 1. One that failed is not
 * found by its person, which its partner does not read.
 */
export const gatherHits = forEachKind((kind) =>
  statement(
    `search.gather_${kind}`,
    `WITH hit AS MATERIALIZED (
       SELECT delivery_id FROM (SELECT * FROM (${deliveriesInRange(kind, IN_RANGE)}) AS inside LIMIT $5) AS cut
       UNION SELECT delivery_id FROM delivery WHERE buyer_key = $1 AND delivery_id = $6
       UNION SELECT delivery_id FROM delivery WHERE buyer_key = $1 AND ref_number = $7
     ), found AS (
       SELECT d.delivery_id, d.delivered_at FROM hit JOIN delivery d ON d.delivery_id = hit.delivery_id
       WHERE d.buyer_key = $1 AND ($8::text IS NULL OR d.status = $8) AND ($9::text IS NULL OR d.event_type = $9)
         AND ($10::timestamptz IS NULL OR d.delivered_at >= $10) AND ($11::timestamptz IS NULL OR d.delivered_at < $11)
         AND (d.status <> 'Failed' OR d.delivery_id = $6 OR d.ref_number = $7)
     )
     SELECT (SELECT count(*) FROM hit) AS hits, count(*) AS total,
            (array_agg(delivery_id ORDER BY delivered_at DESC, delivery_id DESC))[$12:$13] AS page
     FROM found`,
  ),
);

const isFound: Readonly<Record<TermKind, string>> = {
  // A name holds all of its words, whichever it begins with.
  name: `(' ' || s.name) LIKE ALL ($4::text[]) AND $2::text IS NOT NULL AND $3::text IS NOT NULL`,
  email: 's.email >= $2 AND s.email < $3 AND $4::text[] IS NOT NULL',
  phone: 's.phone >= $2 AND s.phone < $3 AND $4::text[] IS NOT NULL',
};

/**
 * The same where nearly everything is found: from the newest of $7 ≤ delivered_at < $8 on, until $5 were looked at or $6 found. `lookedAt`
 * of them were. $9 and $10 the first and last place on the page.
 */
export const walkNewest = forEachKind((kind) =>
  forEachFilter((name, condition) =>
    statement(
      `search.walk_${kind}_${name}`,
      `WITH newest AS MATERIALIZED (
         SELECT delivery_id, delivered_at, status FROM delivery
         WHERE buyer_key = $1 AND delivered_at >= $7 AND delivered_at < $8 AND ${condition}
         ORDER BY delivered_at DESC, delivery_id DESC LIMIT $5
       ), found AS MATERIALIZED (
         SELECT d.delivery_id, d.delivered_at FROM newest d,
                LATERAL (SELECT FROM delivery_search s WHERE s.delivery_id = d.delivery_id AND ${isFound[kind]} OFFSET 0) AS of_it
         WHERE d.status <> 'Failed'
         ORDER BY d.delivered_at DESC, d.delivery_id DESC LIMIT $6
       )
       SELECT (SELECT count(*) FROM newest) AS "lookedAt", (SELECT min(delivered_at) FROM newest) AS "backTo",
              min(delivered_at) AS "oldestFound", count(*) AS total,
              (array_agg(delivery_id ORDER BY delivered_at DESC, delivery_id DESC))[$9:$10] AS page
       FROM found`,
    ),
  ),
);

/** In the order of a list. */
export const readFound = statement<{ readonly buyerKey: string; readonly ids: readonly Uuid[] }, SoldRow>(
  'search.read_found',
  `SELECT ${deliveryViewColumns} FROM delivery d JOIN lead l ON l.lead_id = d.lead_id
   WHERE d.buyer_key = $buyerKey AND d.delivery_id = ANY($ids::uuid[]) ORDER BY d.delivered_at DESC, d.delivery_id DESC`,
);

/** With the erasure of its person. */
export const forgetTerms = statement<{ readonly deliveryIds: readonly Uuid[] }>(
  'search.forget',
  'DELETE FROM delivery_search WHERE delivery_id = ANY($deliveryIds::uuid[])',
);
