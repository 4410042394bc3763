// The SQL of the partners' feed of events.
import { statement } from '../../platform/database/database.ts';
import { deliveryViewColumns } from '../delivery.sql.ts';

export const EVENTS_LIMIT_MAX = 1000;

/**
 * Draws numbers from the partners' own rows, which stay locked until the commit, in the order of their keys: within one partner events
 * are numbered in the order in which they are seen.
 */
export const appendEvents = statement(
  'events.append',
  `WITH wanted AS (
     SELECT buyer_key, type, subject_id, row_number() OVER (PARTITION BY buyer_key ORDER BY n DESC) AS from_end
     FROM unnest($1::text[], $2::text[], $3::uuid[]) WITH ORDINALITY AS u (buyer_key, type, subject_id, n)
   ), head AS (
     INSERT INTO buyer_event_head AS h (buyer_key, last_number) SELECT buyer_key, count(*) FROM wanted GROUP BY 1 ORDER BY 1
     ON CONFLICT (buyer_key) DO UPDATE SET last_number = h.last_number + EXCLUDED.last_number
     RETURNING h.buyer_key, h.last_number
   )
   INSERT INTO buyer_event (buyer_key, number, type, subject_id, at)
   SELECT buyer_key, last_number + 1 - from_end, type, subject_id, $4 FROM wanted JOIN head USING (buyer_key)`,
);

/**
 * A partner's events after a number, with the delivery of each that is about one. The inner limit is for the planner, which would take
 * the outer one for a tenth of all events of the buyer and read whole tables.
 */
export const selectEvents = statement(
  'events.page',
  `SELECT e.number, e.type, e.subject_id AS "subjectId", e.at, ${deliveryViewColumns}
   FROM (SELECT * FROM (
           SELECT * FROM buyer_event WHERE buyer_key = $1 AND number > $2 ORDER BY number LIMIT ${EVENTS_LIMIT_MAX + 1}) AS next
         LIMIT $3) e
   LEFT JOIN delivery d ON e.type = 'lead.delivered' AND d.delivery_id = e.subject_id AND d.buyer_key = $1
   LEFT JOIN lead l ON l.lead_id = d.lead_id
   ORDER BY e.number`,
);

export const selectHead = statement(
  'events.head',
  `SELECT last_number AS "lastNumber" FROM buyer_event_head WHERE buyer_key = $1`,
);

/** Of how many partners one call forgets something. */
const PARTNERS = 20;

/**
 * The oldest events of some partners, as far as they come before $1: never one in the middle, so that what is left has no gaps.
 * At most $2 rows.
 */
export const forgetEvents = statement(
  'events.forget',
  `WITH partner AS (
     SELECT h.buyer_key FROM buyer_event_head h
     CROSS JOIN LATERAL (SELECT e.at FROM buyer_event e WHERE e.buyer_key = h.buyer_key ORDER BY e.number LIMIT 1) AS first
     WHERE first.at < $1 LIMIT ${PARTNERS}
   ), oldest AS (
     SELECT o.buyer_key, o.number, bool_and(o.at < $1) OVER (PARTITION BY o.buyer_key ORDER BY o.number) AS is_old
     FROM partner p CROSS JOIN LATERAL (
       SELECT * FROM buyer_event e WHERE e.buyer_key = p.buyer_key ORDER BY e.number LIMIT $2 / ${PARTNERS}) AS o
   ), forgotten AS (
     DELETE FROM buyer_event e USING oldest o WHERE o.is_old AND e.buyer_key = o.buyer_key AND e.number = o.number RETURNING 1
   )
   SELECT count(*)::int AS forgotten FROM forgotten`,
);
