// SQL of the problems that cost sales: daily counts, and the latest decisions up to a fixed number.
import { statement } from '../platform/database/database.ts';

const LOOKED_AT_MOST = 1000;
const TRACES_AT_MOST = 200;

/** Rejections from $decidedAt on, newest first. */
export const latestUnsold = statement<{ readonly decidedAt: Date }, { trace: string }>(
  'market.latest_unsold',
  `SELECT trace FROM (
     SELECT outcome, trace, decided_at FROM routing_decision WHERE decided_at >= $decidedAt ORDER BY decided_at DESC LIMIT ${LOOKED_AT_MOST}
   ) AS latest WHERE outcome = 'rejected' ORDER BY decided_at DESC LIMIT ${TRACES_AT_MOST}`,
);

/** Leads of the UTC days $firstDay to $lastDay, supplier by supplier through the index. */
export const leadsOfDays = statement<{ readonly firstDay: string; readonly lastDay: string }, { leads: number }>(
  'market.leads_of_days',
  `SELECT coalesce(sum(c.leads), 0)::bigint AS leads
   FROM supplier s CROSS JOIN LATERAL (
     SELECT leads FROM lead_count WHERE supplier_key = s.supplier_key AND day BETWEEN $firstDay::date AND $lastDay::date OFFSET 0) AS c`,
);

export const failedOfDays = statement<{ readonly firstDay: string; readonly lastDay: string }, { deliveries: number }>(
  'market.failed_of_days',
  `SELECT coalesce(sum(c.deliveries), 0)::bigint AS deliveries
   FROM buyer b CROSS JOIN LATERAL (
     SELECT deliveries FROM delivery_count
     WHERE buyer_key = b.buyer_key AND day BETWEEN $firstDay::date AND $lastDay::date AND status = 'Failed' OFFSET 0) AS c`,
);
