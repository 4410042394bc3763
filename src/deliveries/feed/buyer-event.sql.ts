// The SQL of the partners' feed of events.
import { statement } from '../../platform/database/database.ts';
import { deliveryViewColumns } from '../delivery.sql.ts';
import type { SoldRow } from '../delivery.ts';
import type { Uuid } from '../../base/ids.ts';

export type BuyerEventRow = {
  readonly number: number;
  readonly type: 'lead.delivered' | 'return.reviewed' | 'dispute.reviewed';
  readonly subjectId: Uuid;
  readonly at: Date;
  /** Null for events about claims, and if the delivery no longer exists. */
  readonly delivery: SoldRow | null;
};

export const EVENTS_LIMIT_MAX = 1000;

/**
 * Takes numbers from one row per partner, locked in the order of their keys until the commit: a partner's events become visible in the order
 * of their numbers.
 */
export const appendEvents = statement<{
  readonly buyerKeys: Buffer;
  readonly types: Buffer;
  readonly subjectIds: Buffer;
  readonly now: Date;
}>(
  'events.append',
  `WITH wanted AS (
     SELECT buyer_key, type, subject_id, row_number() OVER (PARTITION BY buyer_key ORDER BY n DESC) AS from_end
     FROM unnest($buyerKeys::text[], $types::text[], $subjectIds::uuid[]) WITH ORDINALITY AS u (buyer_key, type, subject_id, n)
   ), head AS (
     INSERT INTO buyer_event_head AS h (buyer_key, last_number) SELECT buyer_key, count(*) FROM wanted GROUP BY 1 ORDER BY 1
     ON CONFLICT (buyer_key) DO UPDATE SET last_number = h.last_number + EXCLUDED.last_number
     RETURNING h.buyer_key, h.last_number
   )
   INSERT INTO buyer_event (buyer_key, number, type, subject_id, at)
   SELECT buyer_key, last_number + 1 - from_end, type, subject_id, $now FROM wanted JOIN head USING (buyer_key)`,
);

export type JoinedEventRow = Omit<BuyerEventRow, 'delivery'> & {
  readonly [Member in keyof SoldRow]: SoldRow[Member] | null;
};

/**
 * A partner's events after a number, with their deliveries. The inner limit is for the planner, which would estimate the outer one at a
 * tenth of all events of the buyer and read whole tables.
 */
export const selectEvents = statement<
  { readonly buyerKey: string; readonly after: number; readonly limit: number },
  JoinedEventRow
>(
  'events.page',
  `SELECT e.number, e.type, e.subject_id AS "subjectId", e.at, ${deliveryViewColumns}
   FROM (SELECT * FROM (
           SELECT * FROM buyer_event WHERE buyer_key = $buyerKey AND number > $after ORDER BY number LIMIT ${EVENTS_LIMIT_MAX + 1}) AS next
         LIMIT $limit) e
   LEFT JOIN delivery d ON e.type = 'lead.delivered' AND d.delivery_id = e.subject_id AND d.buyer_key = $buyerKey
   LEFT JOIN lead l ON l.lead_id = d.lead_id
   ORDER BY e.number`,
);

export const selectHead = statement<{ readonly buyerKey: string }, { lastNumber: number }>(
  'events.head',
  `SELECT last_number AS "lastNumber" FROM buyer_event_head WHERE buyer_key = $buyerKey`,
);

/** The number of partners whose events one call deletes. */
const PARTNERS = 20;

/**
 * Deletes the oldest events of some partners from before $before, at most $atOnce rows. Never one in the middle, so that the remaining
 * numbers have no gaps.
 */
export const purgeEvents = statement<{ readonly before: Date; readonly atOnce: number }, { purged: number }>(
  'events.purge',
  `WITH partner AS (
     SELECT h.buyer_key FROM buyer_event_head h
     CROSS JOIN LATERAL (SELECT e.at FROM buyer_event e WHERE e.buyer_key = h.buyer_key ORDER BY e.number LIMIT 1) AS first
     WHERE first.at < $before LIMIT ${PARTNERS}
   ), oldest AS (
     SELECT o.buyer_key, o.number, bool_and(o.at < $before) OVER (PARTITION BY o.buyer_key ORDER BY o.number) AS is_old
     FROM partner p CROSS JOIN LATERAL (
       SELECT * FROM buyer_event e WHERE e.buyer_key = p.buyer_key ORDER BY e.number LIMIT $atOnce / ${PARTNERS}) AS o
   ), purged AS (
     DELETE FROM buyer_event e USING oldest o WHERE o.is_old AND e.buyer_key = o.buyer_key AND e.number = o.number RETURNING 1
   )
   SELECT count(*)::int AS purged FROM purged`,
);
