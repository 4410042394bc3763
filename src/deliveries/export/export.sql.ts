// The SQL of reading all deliveries of one buyer, page by page of one cursor.
import { statement } from '../../platform/database/database.ts';
import { forEachFilter } from '../row-filter.sql.ts';
import type { DeliveryId } from '../../base/ids.ts';
import type { ExportRow } from './export-line.rules.ts';

// A page takes milliseconds. One that takes longer than this is not waited for, whatever became of its reader.
const PAGE_MS = 30_000;
// A client may take 30 s for a page; nothing else waits for a transaction that only reads.
const BETWEEN_PAGES_MS = 60_000;

/**
 * For the transaction. Without the first the planner might sort everything before the first row, because all of it comes sooner that
 * way.
 */
export const prepareExport = statement(
  'deliveries.prepare_export',
  `SELECT set_config('cursor_tuple_fraction', '0.0001', true), set_config('statement_timeout', '${PAGE_MS}', true),
     set_config('idle_in_transaction_session_timeout', '${BETWEEN_PAGES_MS}', true)`,
);

// Rows of `ExportRow`. An instant comes in the form in which it is written: to make a date of it and a text of that again is a fifth of the
// work of a line.
const COLUMNS = `d.delivery_id AS "deliveryId", d.ref_number AS "refNumber", d.event_type AS "eventType", d.status,
  d.payout_cents AS "payoutCents", to_char(d.delivered_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "deliveredAt", l.fields,
  d.erased_consent AS "erasedConsent"`;

/** Newest first, of the span $from ≤ delivered_at < $until. A statement for each filter, for the same reason as with pages of the list. */
export const openCursor = forEachFilter((name, condition) =>
  statement<{ readonly buyerKey: string; readonly from: Date; readonly until: Date }>(
    `deliveries.export_${name}`,
    `DECLARE export NO SCROLL CURSOR FOR
     SELECT ${COLUMNS} FROM delivery d JOIN lead l ON l.lead_id = d.lead_id
     WHERE d.buyer_key = $buyerKey AND d.delivered_at >= $from AND d.delivered_at < $until AND ${condition}
     ORDER BY d.delivered_at DESC, d.delivery_id DESC`,
  ),
);

/** Newest first, those of the ids $ids. */
export const openCursorOfIds = statement<{ readonly buyerKey: string; readonly ids: readonly DeliveryId[] }>(
  'deliveries.export_of_ids',
  `DECLARE export NO SCROLL CURSOR FOR
   SELECT ${COLUMNS} FROM delivery d JOIN lead l ON l.lead_id = d.lead_id
   WHERE d.buyer_key = $buyerKey AND d.delivery_id = ANY($ids::uuid[])
   ORDER BY d.delivered_at DESC, d.delivery_id DESC`,
);

// Less than a millisecond of the process's one thread, then others get their turn. Larger pages are no faster, and each that outlives two
// collections of young memory costs old memory.
export const EXPORT_PAGE = 100;
export const nextPage = statement<void, ExportRow>('deliveries.export_next', `FETCH ${EXPORT_PAGE} FROM export`);
