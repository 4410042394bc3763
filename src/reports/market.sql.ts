// The SQL of what costs sales at the moment: roll-ups, and the latest decisions up to a number that does not grow with the table.
import { statement } from '../platform/database/database.ts';

const LOOKED_AT_MOST = 1000;
const TRACES_AT_MOST = 200;

/** From $1 on, the newest first. */
export const latestUnsold = statement(
  'market.latest_unsold',
  `SELECT trace FROM (
     SELECT outcome, trace, decided_at FROM routing_decision WHERE decided_at >= $1 ORDER BY decided_at DESC LIMIT ${LOOKED_AT_MOST}
   ) AS latest WHERE outcome = 'rejected' ORDER BY decided_at DESC LIMIT ${TRACES_AT_MOST}`,
);

/** Of whole UTC days $1 to $2, supplier by supplier through the index. */
export const leadsOfDays = statement(
  'market.leads_of_days',
  `SELECT coalesce(sum(c.leads), 0)::bigint AS leads
   FROM supplier s CROSS JOIN LATERAL (
     SELECT leads FROM lead_count WHERE supplier_key = s.supplier_key AND day BETWEEN $1::date AND $2::date OFFSET 0) AS c`,
);

export const failedOfDays = statement(
  'market.failed_of_days',
  `SELECT coalesce(sum(c.deliveries), 0)::bigint AS deliveries
   FROM buyer b CROSS JOIN LATERAL (
     SELECT deliveries FROM delivery_count
     WHERE buyer_key = b.buyer_key AND day BETWEEN $1::date AND $2::date AND status = 'Failed' OFFSET 0) AS c`,
);
