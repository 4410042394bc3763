// The SQL of routing decisions.
import { statement } from '../platform/database/database.ts';

export const insertDecisions = statement(
  'routing.insert_decisions',
  `INSERT INTO routing_decision (lead_id, round, decided_at, config_version, outcome, trace)
   SELECT u.lead_id, 1 + (SELECT count(*) FROM routing_decision d WHERE d.lead_id = u.lead_id), $4, $5, u.outcome, u.trace
   FROM unnest($1::uuid[], $2::text[], $3::text[]) AS u (lead_id, outcome, trace)`,
);

export const selectDecisions = statement(
  'routing.select_decisions',
  `SELECT round, decided_at AS "decidedAt", config_version AS "configVersion", outcome, trace
   FROM routing_decision WHERE lead_id = $1 ORDER BY round`,
);
