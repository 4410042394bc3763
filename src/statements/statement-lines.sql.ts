// The SQL that reads the lines of a statement through a cursor, page by page.
import { statement } from '../platform/database/database.ts';
import { LINE_KIND } from './entries.sql.ts';
import type { StatementLine } from './statement-csv.rules.ts';

// A page takes milliseconds; one that takes longer than this is cancelled.
const PAGE_MS = 30_000;
// A client may take 30 s for a page. Reading transactions block no other work.
const BETWEEN_PAGES_MS = 60_000;

/** Settings of the transaction. Without the first one the planner might join all rows before it returns the first. */
export const prepareLines = statement(
  'statements.prepare_lines',
  `SELECT set_config('cursor_tuple_fraction', '0.0001', true), set_config('statement_timeout', '${PAGE_MS}', true),
     set_config('idle_in_transaction_session_timeout', '${BETWEEN_PAGES_MS}', true)`,
);

/** Oldest first. Instants are formatted by the database: converting them to dates and back takes a fifth of the time of a line. */
export const openLines = statement<{
  readonly accountKey: string;
  readonly fromVersion: number;
  readonly upToVersion: number;
}>(
  'statements.open_lines',
  `DECLARE statement_lines NO SCROLL CURSOR FOR
   SELECT to_char(entry.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at, ${LINE_KIND} AS kind,
     lead.lead_id AS "leadId", lead.external_id AS "externalId", entry.amount_cents AS "amountCents",
     CASE transfer.type WHEN 'payout' THEN (SELECT reference FROM supplier_payout WHERE supplier_payout.transfer_id = transfer.transfer_id)
       WHEN 'adjustment' THEN transfer.description END AS reference
   FROM entry JOIN transfer USING (transfer_id)
   LEFT JOIN delivery ON delivery.delivery_id = transfer.delivery_id LEFT JOIN lead ON lead.lead_id = delivery.lead_id
   WHERE entry.account_key = $accountKey AND entry.account_version BETWEEN $fromVersion AND $upToVersion
   ORDER BY entry.account_version`,
);

// As in the export of deliveries: larger pages are no faster, and block the process's one thread for longer.
export const LINES_PAGE = 100;
export const nextLines = statement<void, StatementLine>(
  'statements.next_lines',
  `FETCH ${LINES_PAGE} FROM statement_lines`,
);
