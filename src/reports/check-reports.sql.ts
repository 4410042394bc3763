// SQL that checks the facts and roll-ups of reports against the rows of leads and deliveries and against the ledger (contract 12.1, 7.7).
import { statement } from '../platform/database/database.ts';
import { WITH_CELLS } from './fold-reports.sql.ts';
import { WITH_CHANGES } from './report-cells.sql.ts';
import { FACT_DIMENSIONS, FACT_SUMS, FACTS } from './report-facts.sql.ts';

/** Facts keep the source, campaign and state of a lead that is erased since, and the rows do not. */
const LOST: readonly string[] = ['source', 'campaign', 'state'];
const KEPT = FACT_DIMENSIONS.filter((name) => !LOST.includes(name)).join(', ');
const SUMS = FACT_SUMS.join(', ');

const ADDED_UP = FACT_SUMS.map((name) => `coalesce(sum(${name}), 0)::bigint AS ${name}`).join(', ');
const IS_NOTHING = FACT_SUMS.map((name) => `coalesce(sum(${name}), 0) = 0`).join(' AND ');

export type ReportRecount = {
  readonly wrongRows: number;
  readonly wrongPartners: number;
  readonly wrongSuppliers: number;
  readonly wrongCells: number;
};

/** One statement, so that all is of the same instant. Reads every lead, delivery, transfer, fact and cell. */
export const recountReports = statement<void, ReportRecount>(
  'reports.recount',
  `WITH ${WITH_CHANGES('report_change')},
   counted AS (
     SELECT date_bin('15 minutes', at, '2000-01-01T00:00:00Z') AS at, ${KEPT}, ${ADDED_UP} FROM (
       SELECT at, ${KEPT}, ${SUMS} FROM report_fact UNION ALL SELECT at, ${KEPT}, ${SUMS} FROM (${FACTS}) AS waiting) AS every
     GROUP BY 1, ${KEPT} HAVING NOT (${IS_NOTHING})),
   expected AS (
     WITH changed_lead AS (SELECT lead_id, NULL::text AS was, public_status AS status FROM lead),
     changed_delivery AS (
       SELECT delivery_id, NULL::text AS was, NULL::timestamptz AS was_at, NULL::text AS was_failure, status, coalesce(failed_at, confirmed_at) AS status_at,
         CASE WHEN status = 'Failed' THEN failure END AS failure FROM delivery),
     new_transfer AS (SELECT transfer_id FROM transfer)
     SELECT date_bin('15 minutes', at, '2000-01-01T00:00:00Z') AS at, ${KEPT}, ${ADDED_UP} FROM (${FACTS}) AS every
     GROUP BY 1, ${KEPT} HAVING NOT (${IS_NOTHING})),
   of_partners AS (SELECT partner, sum(revenue_cents) AS cents FROM counted GROUP BY 1 HAVING sum(revenue_cents) <> 0),
   sold AS (
     SELECT buyer_key AS partner, sum(balance_cents) AS cents FROM account WHERE kind IN ('revenue', 'adjustment')
     GROUP BY 1 HAVING sum(balance_cents) <> 0),
   of_suppliers AS (SELECT supplier, sum(cost_cents) AS cents FROM counted GROUP BY 1 HAVING sum(cost_cents) <> 0),
   spent AS (SELECT supplier_key AS supplier, -balance_cents AS cents FROM account WHERE kind = 'cost' AND balance_cents <> 0),
   facts AS (SELECT at AT TIME ZONE (SELECT time_zone FROM report_progress) AS local, f.* FROM report_fact f, report_progress p
     WHERE f.batch <= p.celled_batch),
   ${WITH_CELLS}
   SELECT (SELECT count(*) FROM ((TABLE counted EXCEPT TABLE expected) UNION ALL (TABLE expected EXCEPT TABLE counted)) AS wrong) AS "wrongRows",
          (SELECT count(*) FROM of_partners FULL JOIN sold USING (partner) WHERE of_partners.cents IS DISTINCT FROM sold.cents) AS "wrongPartners",
          (SELECT count(*) FROM of_suppliers FULL JOIN spent USING (supplier) WHERE of_suppliers.cents IS DISTINCT FROM spent.cents) AS "wrongSuppliers",
          (SELECT count(*) FROM (
             (TABLE cells EXCEPT TABLE report_cell)
             UNION ALL
             (SELECT * FROM report_cell WHERE NOT (${FACT_SUMS.map((name) => `${name} IS NULL`).join(' AND ')}) EXCEPT TABLE cells)
           ) AS wrong) AS "wrongCells"`,
);
