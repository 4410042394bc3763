// SQL of the problems that cost sales: daily counts, and the latest decisions up to a fixed number.
import { statement } from '../platform/database/database.ts';

const DECISIONS_AT_MOST = 500;

/** The latest final decisions from $decidedAt on, newest first; `trace` of those without a buyer. */
export const latestDecisions = statement<{ readonly decidedAt: Date }, { trace: string | null }>(
  'market.latest_decisions',
  `SELECT CASE WHEN outcome = 'rejected' THEN trace END AS trace FROM (
     SELECT outcome, trace, decided_at FROM routing_decision WHERE decided_at >= $decidedAt ORDER BY decided_at DESC LIMIT ${DECISIONS_AT_MOST}
   ) AS latest WHERE outcome <> 'held' ORDER BY decided_at DESC`,
);

/** Open claims to be decided by $until, at most 500, and the prices of their deliveries. */
export const dueClaims = statement<
  { readonly now: Date; readonly until: Date },
  { due: number; overdue: number; cents: number }
>(
  'market.due_claims',
  `SELECT count(*) AS due, count(*) FILTER (WHERE c.decision_due_at <= $now) AS overdue, coalesce(sum(d.payout_cents), 0)::bigint AS cents
   FROM (SELECT delivery_id, decision_due_at FROM claim
         WHERE status IN ('submitted', 'under_review') AND decision_due_at <= $until ORDER BY decision_due_at, claim_id LIMIT 500) AS c
   JOIN delivery d USING (delivery_id)`,
);

/** Leads of the UTC days $firstDay to $lastDay, supplier by supplier through the index. */
export const leadsOfDays = statement<{ readonly firstDay: string; readonly lastDay: string }, { leads: number }>(
  'market.leads_of_days',
  `SELECT coalesce(sum(c.leads), 0)::bigint AS leads
   FROM supplier s CROSS JOIN LATERAL (
     SELECT leads FROM lead_count WHERE supplier_key = s.supplier_key AND day BETWEEN $firstDay::date AND $lastDay::date OFFSET 0) AS c`,
);

export const failedOfDays = statement<
  { readonly firstDay: string; readonly lastDay: string },
  { deliveries: number; cents: number }
>(
  'market.failed_of_days',
  `SELECT coalesce(sum(c.deliveries), 0)::bigint AS deliveries, coalesce(sum(c.payout_cents), 0)::bigint AS cents
   FROM buyer b CROSS JOIN LATERAL (
     SELECT deliveries, payout_cents FROM delivery_count
     WHERE buyer_key = b.buyer_key AND day BETWEEN $firstDay::date AND $lastDay::date AND status = 'Failed' OFFSET 0) AS c`,
);
