// SQL that answers a report from the rows of leads, deliveries and transfers themselves: what all roll-ups must agree with (contract 12.1).
import { statement } from '../platform/database/database.ts';
import { FACTS } from './report-facts.sql.ts';
import { groupedText, type GroupParams, type GroupRow } from './report-group.sql.ts';

const local = (format: string): string => `to_char(at AT TIME ZONE $timeZone, '${format}')`;

/** Reads all rows of the tables. */
export const groupFromRows = statement<GroupParams, GroupRow>(
  'reports.group_from_rows',
  `WITH changed_lead AS (SELECT lead_id, NULL::text AS was, public_status AS status FROM lead WHERE $withLeads),
   changed_delivery AS (
     SELECT delivery_id, NULL::text AS was, NULL::timestamptz AS was_at, status, coalesce(failed_at, confirmed_at) AS status_at FROM delivery),
   new_transfer AS (SELECT transfer_id FROM transfer)
   ${groupedText(FACTS, {
     day: local('YYYY-MM-DD'),
     week: `to_char(date_trunc('week', at AT TIME ZONE $timeZone), 'YYYY-MM-DD')`,
     month: local('YYYY-MM'),
     hour: local('HH24'),
     weekday: local('ID'),
   })}`,
);
