// SQL that answers a report from the rows of leads, deliveries and transfers themselves: what all roll-ups must agree with (contract 12.1).
import { statement } from '../platform/database/database.ts';
import { FACT_COLUMNS, FACTS } from './report-facts.sql.ts';
import { groupedText, type GroupParams, type GroupRow } from './report-group.sql.ts';
import { reportDimensions } from './report.schema.ts';

export type SpanParams = { readonly from: Date; readonly until: Date; readonly timeZone: string };

/** Reads all rows of the tables. */
export const groupFromRows = statement<GroupParams & SpanParams, GroupRow>(
  'reports.group_from_rows',
  `WITH changed_lead AS (SELECT lead_id, NULL::text AS was, public_status AS status FROM lead),
   changed_delivery AS (
     SELECT delivery_id, NULL::text AS was, NULL::timestamptz AS was_at, NULL::text AS was_failure, status, coalesce(failed_at, confirmed_at) AS status_at,
         CASE WHEN status = 'Failed' THEN failure END AS failure FROM delivery),
   new_transfer AS (SELECT transfer_id FROM transfer)
   ${groupedText(
     `SELECT at AT TIME ZONE $timeZone AS local, ${FACT_COLUMNS} FROM (${FACTS}) AS every WHERE at >= $from AND at < $until`,
     { dimensions: reportDimensions },
   )}`,
);
