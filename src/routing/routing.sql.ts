// The SQL of routing decisions.
import { statement } from '../platform/database/database.ts';

export const insertDecisions = statement(
  'routing.insert_decisions',
  `INSERT INTO routing_decision (lead_id, round, decided_at, config_version, outcome, trace)
   SELECT u.lead_id, u.round, $5, $6, u.outcome, u.trace
   FROM unnest($1::uuid[], $2::int2[], $3::text[], $4::text[]) AS u (lead_id, round, outcome, trace)`,
);

export const countDecisions = statement(
  'routing.count_decisions',
  `SELECT lead_id AS "leadId", count(*) AS decisions FROM routing_decision WHERE lead_id = ANY($1::uuid[]) GROUP BY 1`,
);

/** Makes what is missing, so that every offer's turn can be locked. */
export const makeTurns = statement(
  'routing.make_turns',
  `INSERT INTO offer_turn (offer_key, turn) SELECT u.offer_key, 0 FROM unnest($1::text[]) AS u (offer_key)
   ORDER BY u.offer_key ON CONFLICT DO NOTHING`,
);

export const lockTurns = statement(
  'routing.lock_turns',
  `SELECT offer_key AS "offerKey", turn FROM offer_turn WHERE offer_key = ANY($1::text[]) ORDER BY offer_key FOR UPDATE`,
);

/** Each offer's last turn of the batch; the numbers are drawn in the order of the turns. */
export const writeTurns = statement(
  'routing.write_turns',
  `WITH drawn AS (
     SELECT u.offer_key, max(nextval('offer_turn_number')) AS turn FROM unnest($1::text[]) AS u (offer_key) GROUP BY 1
   )
   UPDATE offer_turn t SET turn = drawn.turn FROM drawn WHERE t.offer_key = drawn.offer_key`,
);

export const selectDecisions = statement(
  'routing.select_decisions',
  `SELECT round, decided_at AS "decidedAt", config_version AS "configVersion", outcome, trace
   FROM routing_decision WHERE lead_id = $1 ORDER BY round`,
);

/** The oldest, as far as they come before $1. At most $2. */
export const forgetDecisions = statement(
  'routing.forget_decisions',
  `WITH old AS (SELECT lead_id, round FROM routing_decision WHERE decided_at < $1 ORDER BY decided_at LIMIT $2),
   forgotten AS (DELETE FROM routing_decision r USING old WHERE r.lead_id = old.lead_id AND r.round = old.round RETURNING 1)
   SELECT count(*) AS forgotten FROM forgotten`,
);

/** In which scopes people were sold since $3 by leads of one supplier each. */
export const selectSalesOfSuppliers = statement(
  'routing.sales_of_suppliers',
  `SELECT u.hash::text AS hash, u.supplier_key AS "supplierKey", s.scope
   FROM unnest($1::bigint[], $2::text[]) AS u (hash, supplier_key)
   JOIN person_sale s ON s.person_hash = u.hash AND s.sold_at >= $3
   JOIN delivery d ON d.delivery_id = s.delivery_id AND d.supplier_key = u.supplier_key`,
);
