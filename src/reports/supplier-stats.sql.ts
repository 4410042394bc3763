// The SQL of a supplier's statistics, on the counts that leads keep.
import { statement } from '../platform/database/database.ts';
import type { StatusCount } from './supplier-totals.rules.ts';

export const countsByStatus = statement<
  { readonly supplierKey: string; readonly firstDay: string; readonly lastDay: string },
  StatusCount
>(
  'reports.supplier_counts_by_status',
  `SELECT public_status AS "publicStatus", sum(leads)::bigint AS leads, sum(scored)::bigint AS scored,
          sum(score_sum)::bigint AS "scoreSum"
   FROM lead_count WHERE supplier_key = $supplierKey AND day BETWEEN $firstDay::date AND $lastDay::date GROUP BY public_status`,
);
