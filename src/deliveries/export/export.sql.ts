// The SQL that reads all deliveries of one buyer through a cursor, page by page.
import { statement } from '../../platform/database/database.ts';
import { forEachFilter } from '../row-filter.sql.ts';
import type { DeliveryId } from '../../base/ids.ts';
import type { ExportRow } from './export-line.rules.ts';

// A page takes milliseconds; one that takes longer than this is cancelled.
const PAGE_MS = 30_000;
// A client may take 30 s for a page. Reading transactions block no other work.
const BETWEEN_PAGES_MS = 60_000;

/** Settings of the transaction. Without the first one the planner might sort all rows before it returns the first. */
export const prepareExport = statement(
  'deliveries.prepare_export',
  `SELECT set_config('cursor_tuple_fraction', '0.0001', true), set_config('statement_timeout', '${PAGE_MS}', true),
     set_config('idle_in_transaction_session_timeout', '${BETWEEN_PAGES_MS}', true)`,
);

// Columns of `ExportRow`. Instants are formatted by the database: converting them to dates and back takes a fifth of the time of a line.
const COLUMNS = `d.delivery_id AS "deliveryId", d.ref_number AS "refNumber", d.event_type AS "eventType", d.status,
  d.payout_cents AS "payoutCents", to_char(d.delivered_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "deliveredAt", l.fields,
  d.erased_consent AS "erasedConsent"`;

/** Newest first, of the span $from ≤ delivered_at < $until. One statement per filter, so that the planner can choose a partial index. */
export const openCursor = forEachFilter((name, condition) =>
  statement<{ readonly buyerKey: string; readonly from: Date; readonly until: Date }>(
    `deliveries.export_${name}`,
    `DECLARE export NO SCROLL CURSOR FOR
     SELECT ${COLUMNS} FROM delivery d JOIN lead l ON l.lead_id = d.lead_id
     WHERE d.buyer_key = $buyerKey AND d.delivered_at >= $from AND d.delivered_at < $until AND ${condition}
     ORDER BY d.delivered_at DESC, d.delivery_id DESC`,
  ),
);

/** The deliveries with the ids $ids, newest first. */
export const openCursorOfIds = statement<{ readonly buyerKey: string; readonly ids: readonly DeliveryId[] }>(
  'deliveries.export_of_ids',
  `DECLARE export NO SCROLL CURSOR FOR
   SELECT ${COLUMNS} FROM delivery d JOIN lead l ON l.lead_id = d.lead_id
   WHERE d.buyer_key = $buyerKey AND d.delivery_id = ANY($ids::uuid[])
   ORDER BY d.delivered_at DESC, d.delivery_id DESC`,
);

// A page blocks the process's one thread for less than a millisecond. Larger pages are no faster, and pages that survive two collections of
// young memory cost old memory.
export const EXPORT_PAGE = 100;
export const nextPage = statement<void, ExportRow>('deliveries.export_next', `FETCH ${EXPORT_PAGE} FROM export`);
