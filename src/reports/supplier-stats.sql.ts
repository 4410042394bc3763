// SQL of a supplier's statistics and overview, on the daily counts of leads and on the latest submissions.
import { FIRST_ID, LAST_ID } from '../base/id-time.ts';
import { ERROR_SEPARATOR } from '../leads/field-errors.rules.ts';
import { keyFields } from '../leads/field-guide.rules.ts';
import { SCORE_TENS } from '../leads/score-tens.ts';
import { statement } from '../platform/database/database.ts';
import type { DayCount } from './supplier-overview.rules.ts';
import type { StatusCount } from './supplier-totals.rules.ts';

type SupplierAndDays = { readonly supplierKey: string; readonly firstDay: string; readonly lastDay: string };
const SUPPLIER_AND_DAYS = 'supplier_key = $supplierKey AND day BETWEEN $firstDay::date AND $lastDay::date';

export const countsByDay = statement<SupplierAndDays, DayCount>(
  'reports.supplier_counts_by_day',
  `SELECT day::text AS day, public_status AS "publicStatus", sum(leads)::bigint AS leads, sum(scored)::bigint AS scored,
          sum(score_sum)::bigint AS "scoreSum"
   FROM lead_count WHERE ${SUPPLIER_AND_DAYS} GROUP BY day, public_status`,
);

/** One row per range of ten points, in order, also for ranges without leads. */
export const scoresByTen = statement<SupplierAndDays, { place: number; leads: number }>(
  'reports.supplier_scores_by_ten',
  `SELECT ten.place, coalesce(sum(scores_by_ten[ten.place]), 0)::bigint AS leads
   FROM generate_series(1, ${SCORE_TENS.length}) AS ten (place)
   LEFT JOIN lead_count ON ${SUPPLIER_AND_DAYS} AND scores_by_ten IS NOT NULL
   GROUP BY ten.place ORDER BY ten.place`,
);

export const refusalsByReason = statement<SupplierAndDays, { reason: string; leads: number }>(
  'reports.supplier_refusals_by_reason',
  `SELECT reason, sum(leads)::bigint AS leads FROM refusal_count WHERE ${SUPPLIER_AND_DAYS} GROUP BY reason`,
);

type SupplierAndParts = {
  readonly supplierKey: string;
  readonly startsTimes: readonly Date[];
  readonly endsTimes: readonly Date[];
};
const PARTS =
  'unnest($startsTimes::timestamptz[], $endsTimes::timestamptz[]) WITH ORDINALITY AS part (starts_at, ends_at, place)';
const IN_PART =
  'supplier_key = $supplierKey AND received_at >= part.starts_at AND received_at < part.ends_at AND NOT is_test';

/** Counts of the spans $startsTimes ≤ received_at < $endsTimes, from single leads; `place` from 1. */
export const countsOfParts = statement<SupplierAndParts, StatusCount & { place: number }>(
  'reports.supplier_counts_of_parts',
  `SELECT part.place, inside.* FROM ${PARTS}, LATERAL (
     SELECT public_status AS "publicStatus", count(*) AS leads, count(score) AS scored, coalesce(sum(score), 0)::bigint AS "scoreSum"
     FROM lead WHERE ${IN_PART} GROUP BY 1) AS inside`,
);

/** One row per range of ten points with leads: `ten` from 1 as in `scoresByTen`. */
export const scoresOfParts = statement<SupplierAndParts, { place: number; ten: number; leads: number }>(
  'reports.supplier_scores_of_parts',
  `SELECT part.place, inside.* FROM ${PARTS}, LATERAL (
     SELECT least(score / 10, ${SCORE_TENS.length - 1}) + 1 AS ten, count(*) AS leads
     FROM lead WHERE ${IN_PART} AND score IS NOT NULL GROUP BY 1) AS inside`,
);

export const refusalsOfParts = statement<SupplierAndParts, { place: number; reason: string; leads: number }>(
  'reports.supplier_refusals_of_parts',
  `SELECT part.place, inside.* FROM ${PARTS}, LATERAL (
     SELECT error AS reason, count(*) AS leads
     FROM lead, unnest(string_to_array(lead.reason, '${ERROR_SEPARATOR}')) AS u (error) WHERE ${IN_PART} AND score IS NULL GROUP BY 1) AS inside`,
);

export type Lacking = { field: string; unsold: number; sold: number; lackingUnsold: number; lackingSold: number };

/**
 * How often fields are missing in unsold and in sold leads, among the latest $limit submissions. The search in the JSON text stops before
 * the supplier's own members (`extra`), so a quoted match can only be the name of a field.
 */
export const lackingByField = statement<{ readonly supplierKey: string; readonly limit: number }, Lacking>(
  'reports.supplier_lacking_by_field',
  `WITH latest AS (
     SELECT is_test, public_status, fields FROM lead
     WHERE (supplier_key, lead_id) >= ($supplierKey, '${FIRST_ID}') AND (supplier_key, lead_id) <= ($supplierKey, '${LAST_ID}')
     ORDER BY supplier_key DESC, lead_id DESC LIMIT $limit
   ), decided AS (
     SELECT public_status = 'No Buyer' AS is_unsold, split_part(fields, ',"extra":', 1) AS named FROM latest
     WHERE NOT is_test AND fields IS NOT NULL AND public_status IN ('No Buyer', 'Lead Sale', 'Calendar Assigned')
   )
   SELECT field, count(*) FILTER (WHERE is_unsold) AS unsold, count(*) FILTER (WHERE NOT is_unsold) AS sold,
          count(*) FILTER (WHERE is_unsold AND strpos(named, mark) > 0) AS "lackingUnsold",
          count(*) FILTER (WHERE NOT is_unsold AND strpos(named, mark) > 0) AS "lackingSold"
   FROM (VALUES ${Object.entries(keyFields)
     .map(([field, stored], index) => `(${index}, '${field}', '"${stored}":null')`)
     .join(', ')}) AS w (place, field, mark), decided
   GROUP BY place, field ORDER BY place`,
);

export const countsByStatus = statement<SupplierAndDays, StatusCount>(
  'reports.supplier_counts_by_status',
  `SELECT public_status AS "publicStatus", sum(leads)::bigint AS leads, sum(scored)::bigint AS scored,
          sum(score_sum)::bigint AS "scoreSum"
   FROM lead_count WHERE ${SUPPLIER_AND_DAYS} GROUP BY public_status`,
);
