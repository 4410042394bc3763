// The SQL that searches deliveries by the terms of their contacts.
import { statement } from '../../platform/database/database.ts';
import { deliveryViewColumns } from '../delivery.sql.ts';
import { forEachFilter } from '../row-filter.sql.ts';
import { NARROWED, type NarrowingParams } from './narrowing.sql.ts';
import type { TermKind } from './search-query.rules.ts';
import type { DeliveryId, LeadId } from '../../base/ids.ts';
import type { SoldRow } from '../delivery.ts';

/** The columns that store the terms of each kind, each with its own index. */
const COLUMNS: Readonly<Record<TermKind, readonly string[]>> = {
  name: ['name', 'name_from_2', 'name_from_3', 'name_from_last'],
  email: ['email'],
  phone: ['phone'],
};

const KINDS = ['name', 'email', 'phone'] as const;

/** Makes one statement for each kind of term. */
function forEachKind<Made>(make: (kind: TermKind) => Made): Readonly<Record<TermKind, Made>> {
  return Object.fromEntries(KINDS.map((kind) => [kind, make(kind)])) as Record<TermKind, Made>;
}

/** SQL expressions: the partner's key, the range, and LIKE patterns that all words of a name must match. */
type SearchRange = {
  readonly buyerKey: string;
  readonly low: string;
  readonly high: string;
  readonly patterns: string | null;
};

/** Ids of deliveries with a term in the range; a name may yield the same id more than once. */
function deliveriesInRange(kind: TermKind, { buyerKey, low, high, patterns }: SearchRange): string {
  return COLUMNS[kind]
    .map((column) => {
      const words = patterns === null ? '' : ` AND (' ' || ${column}) LIKE ALL (${patterns})`;
      return `SELECT delivery_id FROM delivery_search s
        WHERE s.buyer_key = ${buyerKey} AND ${column} >= ${low} AND ${column} < ${high}${words}`;
    })
    .join(' UNION ALL ');
}

const IN_RANGE = { buyerKey: '$buyerKey', low: '$low', high: '$high', patterns: '$patterns::text[]' };

/** The number of terms in each range, counted up to $atMost. */
export const measureRanges = forEachKind((kind) =>
  statement<
    {
      readonly buyerKey: string;
      readonly lows: readonly string[];
      readonly highs: readonly string[];
      readonly atMost: number;
    },
    { terms: number }
  >(
    `search.measure_${kind}`,
    `SELECT (SELECT count(*) FROM (SELECT FROM (${deliveriesInRange(kind, { buyerKey: '$buyerKey', low: 'r.low', high: 'r.high', patterns: null })}) AS inside LIMIT $atMost) AS counted) AS terms
     FROM unnest($lows::text[], $highs::text[]) WITH ORDINALITY AS r (low, high, place) ORDER BY r.place`,
  ),
);

type OnePage = NarrowingParams & { readonly buyerKey: string; readonly first: number; readonly last: number };
type TermSearch = OnePage & { readonly low: string; readonly high: string; readonly patterns: readonly string[] };

type Gathered = { hits: number; total: number; page: readonly DeliveryId[] | null };
type RowConditions = {
  readonly status: string | null;
  readonly eventType: string | null;
  readonly from: Date | null;
  readonly until: Date | null;
};
const ROW_CONDITIONS = `d.buyer_key = $buyerKey AND ($status::text IS NULL OR d.status = $status)
  AND ($eventType::text IS NULL OR d.event_type = $eventType)
  AND ($from::timestamptz IS NULL OR d.delivered_at >= $from) AND ($until::timestamptz IS NULL OR d.delivered_at < $until)
  AND ${NARROWED}`;
const PAGE_OF_FOUND = '(array_agg(delivery_id ORDER BY delivered_at DESC, delivery_id DESC))[$first:$last] AS page';

/**
 * Finds deliveries by terms, id ($byId) or number ($byRef) and filters them: the total, and the ids of one page, newest first. At most
 * $atMost are found by terms; `hits` shows whether there were more. $status, $eventType, $from and $until (from ≤ delivered_at < until) are
 * null for no condition; $first and $last are rows of the result, from 1. A failed delivery is not found by its contact, whose data its
 * partner may not read.
 */
export const gatherHits = forEachKind((kind) =>
  statement<
    TermSearch &
      RowConditions & { readonly byId: DeliveryId | null; readonly byRef: number | null; readonly atMost: number },
    Gathered
  >(
    `search.gather_${kind}`,
    `WITH hit AS MATERIALIZED (
       SELECT delivery_id FROM (SELECT * FROM (${deliveriesInRange(kind, IN_RANGE)}) AS inside LIMIT $atMost) AS cut
       UNION SELECT delivery_id FROM delivery WHERE buyer_key = $buyerKey AND delivery_id = $byId
       UNION SELECT delivery_id FROM delivery WHERE buyer_key = $buyerKey AND ref_number = $byRef
     ), found AS (
       SELECT d.delivery_id, d.delivered_at FROM hit JOIN delivery d ON d.delivery_id = hit.delivery_id
       WHERE ${ROW_CONDITIONS} AND (d.status <> 'Failed' OR d.delivery_id = $byId OR d.ref_number = $byRef)
     )
     SELECT (SELECT count(*) FROM hit) AS hits, count(*) AS total, ${PAGE_OF_FOUND}
     FROM found`,
  ),
);

/** Finds deliveries by the statuses of their claims. At most $atMost claims are read; `hits` shows whether there were more. */
export const gatherClaimed = statement<
  OnePage & RowConditions & { readonly claimStatuses: readonly string[]; readonly atMost: number },
  Gathered
>(
  'search.gather_claimed',
  `WITH hit AS MATERIALIZED (
     SELECT delivery_id FROM claim WHERE buyer_key = $buyerKey AND status = ANY($claimStatuses::text[]) LIMIT $atMost
   ), found AS (
     SELECT d.delivery_id, d.delivered_at FROM (SELECT DISTINCT delivery_id FROM hit) AS of_claims JOIN delivery d USING (delivery_id)
     WHERE ${ROW_CONDITIONS}
   )
   SELECT (SELECT count(*) FROM hit) AS hits, count(*) AS total, ${PAGE_OF_FOUND} FROM found`,
);

const isFound: Readonly<Record<TermKind, string>> = {
  // A name must contain all of the words, in any order.
  name: `(' ' || s.name) LIKE ALL ($patterns::text[]) AND $low::text IS NOT NULL AND $high::text IS NOT NULL`,
  email: 's.email >= $low AND s.email < $high AND $patterns::text[] IS NOT NULL',
  phone: 's.phone >= $low AND s.phone < $high AND $patterns::text[] IS NOT NULL',
};

export type WalkedDeliveries = {
  lookedAt: number;
  total: number;
  backTo: Date | null;
  oldestFound: Date | null;
  page: readonly DeliveryId[] | null;
};

type Walk = { readonly walked: number; readonly enough: number; readonly from: Date; readonly until: Date };

/**
 * Scans deliveries of $from ≤ delivered_at < $until from the newest on, until $walked were scanned or $enough found. `lookedAt` is the number
 * of scanned deliveries. $first and $last are rows of the result, from 1. `matching` follows the scanned deliveries `d`.
 */
const walkText = (condition: string, matching: string): string =>
  `WITH newest AS MATERIALIZED (
     SELECT delivery_id, delivered_at, status, offer_key, lead_id FROM delivery
     WHERE buyer_key = $buyerKey AND delivered_at >= $from AND delivered_at < $until AND ${condition}
     ORDER BY delivered_at DESC, delivery_id DESC LIMIT $walked
   ), found AS MATERIALIZED (
     SELECT d.delivery_id, d.delivered_at FROM newest d${matching} AND ${NARROWED}
     ORDER BY d.delivered_at DESC, d.delivery_id DESC LIMIT $enough
   )
   SELECT (SELECT count(*) FROM newest) AS "lookedAt", (SELECT min(delivered_at) FROM newest) AS "backTo",
          min(delivered_at) AS "oldestFound", count(*) AS total, ${PAGE_OF_FOUND}
   FROM found`;

/** Searches common terms. */
export const walkNewest = forEachKind((kind) =>
  forEachFilter((name, condition) =>
    statement<TermSearch & Walk, WalkedDeliveries>(
      `search.walk_${kind}_${name}`,
      walkText(
        condition,
        `, LATERAL (SELECT FROM delivery_search s WHERE s.delivery_id = d.delivery_id AND ${isFound[kind]} OFFSET 0) AS of_it
     WHERE d.status <> 'Failed'`,
      ),
    ),
  ),
);

/** The same without a search text. */
export const walkNarrowed = forEachFilter((name, condition) =>
  statement<OnePage & Walk, WalkedDeliveries>(`search.walk_narrowed_${name}`, walkText(condition, ' WHERE true')),
);

/** Ordered as in lists. */
export const readFound = statement<{ readonly buyerKey: string; readonly ids: readonly DeliveryId[] }, SoldRow>(
  'search.read_found',
  `SELECT ${deliveryViewColumns} FROM delivery d JOIN lead l ON l.lead_id = d.lead_id
   WHERE d.buyer_key = $buyerKey AND d.delivery_id = ANY($ids::uuid[]) ORDER BY d.delivered_at DESC, d.delivery_id DESC`,
);

/** For the erasure of the contacts. */
export const deleteTerms = statement<{ readonly deliveryIds: readonly DeliveryId[] }>(
  'search.purge',
  'DELETE FROM delivery_search WHERE delivery_id = ANY($deliveryIds::uuid[])',
);

export const leadsOfBuyerReference = statement<
  { readonly reference: string; readonly atMost: number },
  { leadId: LeadId }
>(
  'search.leads_of_buyer_reference',
  `SELECT d.lead_id AS "leadId" FROM delivery_reference r JOIN delivery d USING (delivery_id) WHERE r.buyer_reference = $reference LIMIT $atMost`,
);

const IN_RANGE_OF_ANY_BUYER = { buyerKey: 'b.buyer_key', low: '$low', high: '$high', patterns: '$patterns::text[]' };

/** Searches the terms of each partner with one index probe, because the indexes begin with the partner; at most $perPartner terms each. */
export const leadsOfTerm = forEachKind((kind) =>
  statement<
    {
      readonly low: string;
      readonly high: string;
      readonly patterns: readonly string[];
      readonly perPartner: number;
      readonly atMost: number;
    },
    { readonly leadId: LeadId }
  >(
    `deliveries.console_leads_of_${kind}`,
    `SELECT DISTINCT d.lead_id AS "leadId" FROM (
       SELECT hit.delivery_id FROM buyer b
       CROSS JOIN LATERAL (SELECT * FROM (${deliveriesInRange(kind, IN_RANGE_OF_ANY_BUYER)}) AS inside LIMIT $perPartner) AS hit LIMIT $atMost) AS cut
     JOIN delivery d ON d.delivery_id = cut.delivery_id`,
  ),
);

export const leadsOfReference = statement<
  { readonly deliveryId: DeliveryId | null; readonly refNumber: number | null; readonly eventType: string | null },
  { readonly leadId: LeadId }
>(
  'deliveries.console_leads_of_reference',
  `SELECT lead_id AS "leadId" FROM delivery WHERE delivery_id = $deliveryId
   UNION SELECT lead_id FROM delivery WHERE ref_number = $refNumber AND ($eventType::text IS NULL OR event_type = $eventType)`,
);
