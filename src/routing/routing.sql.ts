// SQL on routing decisions and the turns of offers.
import { statement } from '../platform/database/database.ts';
import type { LeadId } from '../base/ids.ts';

import type { IdentityHash } from '../leads/identity.rules.ts';

/** A decision as stored; `trace` is the JSON text of a `StoredTrace`. */
export type DecisionRow = {
  readonly round: number;
  readonly decidedAt: Date;
  readonly configVersion: number;
  readonly outcome: string;
  readonly trace: string;
};

export const insertDecisions = statement<{
  readonly leadIds: Buffer;
  readonly rounds: Buffer;
  readonly outcomes: Buffer;
  readonly traces: Buffer;
  readonly now: Date;
  readonly version: number;
}>(
  'routing.insert_decisions',
  `INSERT INTO routing_decision (lead_id, round, decided_at, config_version, outcome, trace)
   SELECT u.lead_id, u.round, $now, $version, u.outcome, u.trace
   FROM unnest($leadIds::uuid[], $rounds::int2[], $outcomes::text[], $traces::text[]) AS u (lead_id, round, outcome, trace)`,
);

export const countDecisions = statement<{ readonly leadIds: Buffer }, { leadId: LeadId; decisions: number }>(
  'routing.count_decisions',
  `SELECT lead_id AS "leadId", count(*) AS decisions FROM routing_decision WHERE lead_id = ANY($leadIds::uuid[]) GROUP BY 1`,
);

/** Inserts missing rows, so that every offer's turn can be locked. */
export const makeTurns = statement<{ readonly offerKeys: readonly string[] }>(
  'routing.make_turns',
  `INSERT INTO offer_turn (offer_key, turn) SELECT u.offer_key, 0 FROM unnest($offerKeys::text[]) AS u (offer_key)
   ORDER BY u.offer_key ON CONFLICT DO NOTHING`,
);

export const lockTurns = statement<{ readonly offerKeys: readonly string[] }, { offerKey: string; turn: number }>(
  'routing.lock_turns',
  `SELECT offer_key AS "offerKey", turn FROM offer_turn WHERE offer_key = ANY($offerKeys::text[]) ORDER BY offer_key FOR UPDATE`,
);

/** Stores each offer's last turn of the batch; numbers are drawn in the order of the turns. */
export const writeTurns = statement<{ readonly turns: readonly string[] }>(
  'routing.write_turns',
  `WITH drawn AS (
     SELECT u.offer_key, max(nextval('offer_turn_number')) AS turn FROM unnest($turns::text[]) AS u (offer_key) GROUP BY 1
   )
   UPDATE offer_turn t SET turn = drawn.turn FROM drawn WHERE t.offer_key = drawn.offer_key`,
);

export const selectDecisions = statement<{ readonly leadId: LeadId }, DecisionRow>(
  'routing.select_decisions',
  `SELECT round, decided_at AS "decidedAt", config_version AS "configVersion", outcome, trace
   FROM routing_decision WHERE lead_id = $leadId ORDER BY round`,
);

/** Deletes the oldest decisions made before $before, at most $atOnce. */
export const purgeDecisionsSql = statement<{ readonly before: Date; readonly atOnce: number }, { purged: number }>(
  'routing.purge_decisions',
  `WITH old AS (SELECT lead_id, round FROM routing_decision WHERE decided_at < $before ORDER BY decided_at LIMIT $atOnce),
   purged AS (DELETE FROM routing_decision r USING old WHERE r.lead_id = old.lead_id AND r.round = old.round RETURNING 1)
   SELECT count(*) AS purged FROM purged`,
);

/** The scopes in which identities were sold since $since through leads of the given supplier each. */
export const selectSalesOfSuppliers = statement<
  { readonly hashes: Buffer; readonly supplierKeys: Buffer; readonly since: Date },
  { hash: IdentityHash; supplierKey: string; scope: string }
>(
  'routing.sales_of_suppliers',
  `SELECT u.hash::text AS hash, u.supplier_key AS "supplierKey", s.scope
   FROM unnest($hashes::bigint[], $supplierKeys::text[]) AS u (hash, supplier_key)
   JOIN person_sale s ON s.person_hash = u.hash AND s.sold_at >= $since
   JOIN delivery d ON d.delivery_id = s.delivery_id AND d.supplier_key = u.supplier_key`,
);
