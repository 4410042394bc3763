// The SQL of routing decisions.
import { statement } from '../platform/database/database.ts';

export const insertDecisions = statement(
  'routing.insert_decisions',
  `INSERT INTO routing_decision (lead_id, round, decided_at, config_version, outcome, trace)
   SELECT u.lead_id, 1 + (SELECT count(*) FROM routing_decision d WHERE d.lead_id = u.lead_id), $4, $5, u.outcome, u.trace
   FROM unnest($1::uuid[], $2::text[], $3::text[]) AS u (lead_id, outcome, trace)`,
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
