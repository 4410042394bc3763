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

export type Unpriced = {
  readonly partner: string;
  readonly name: string;
  readonly deliveries: number;
  readonly cents: number;
};

/** By partner: leads that it took without a price that counts, at the most that they could cost. Looks at the latest failures only. */
export const unpricedSince = statement<{ readonly since: Date; readonly errors: readonly string[] }, Unpriced>(
  'market.unpriced',
  `SELECT b.buyer_key AS partner, coalesce(nullif(b.name, ''), b.buyer_key) AS name, count(*)::int AS deliveries,
          sum(d.payout_cents)::bigint AS cents
   FROM (SELECT delivery_id, buyer_key, channel, payout_cents, price_min_cents, may_have_arrived FROM delivery
         WHERE failed_at IS NOT NULL AND failed_at >= $since ORDER BY failed_at DESC, delivery_id DESC LIMIT 1000) AS d
   JOIN buyer b ON b.buyer_key = d.buyer_key
   JOIN LATERAL (SELECT error FROM attempt a WHERE a.delivery_id = d.delivery_id AND a.channel = d.channel AND a.state <> 'scheduled'
                 ORDER BY attempt_id DESC LIMIT 1) AS last ON last.error = ANY ($errors::text[])
   WHERE d.price_min_cents IS NOT NULL AND d.may_have_arrived
   GROUP BY b.buyer_key, b.name ORDER BY sum(d.payout_cents) DESC, b.buyer_key LIMIT 20`,
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
