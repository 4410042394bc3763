// The SQL of a supplier's statistics, on the counts that leads keep.
import { statement } from '../platform/database/database.ts';

export const countsByStatus = statement(
  'reports.supplier_counts_by_status',
  `SELECT public_status AS "publicStatus", sum(leads)::bigint AS leads, sum(scored)::bigint AS scored,
          sum(score_sum)::bigint AS "scoreSum"
   FROM lead_count WHERE supplier_key = $1 AND day BETWEEN $2::date AND $3::date GROUP BY public_status`,
);
