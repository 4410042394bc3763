// The SQL of reading all deliveries of one buyer, page by page of one cursor.
import { statement } from '../platform/database/database.ts';

// A page takes milliseconds. One that takes longer than this is not waited for, whatever became of its reader.
const PAGE_MS = 30_000;

/**
 * For the transaction. Without the first the planner might sort everything before the first row, because all of it comes sooner that
 * way.
 */
export const prepareExport = statement(
  'deliveries.prepare_export',
  `SELECT set_config('cursor_tuple_fraction', '0.0001', true), set_config('statement_timeout', '${PAGE_MS}', true)`,
);

// Rows of `ExportRow`. An instant comes in the form in which it is written: to make a date of it and a text of that again is a fifth of the
// work of a line.
const COLUMNS = `d.delivery_id AS "deliveryId", d.ref_number AS "refNumber", d.event_type AS "eventType", d.status,
  d.payout_cents AS "payoutCents", to_char(d.delivered_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "deliveredAt", l.fields`;

/** Newest first, of the span $2 ≤ delivered_at < $3. A statement for each status, for the same reason as with pages of the list. */
const cursorOf = (name: string, condition: string) =>
  statement(
    `deliveries.export_${name}`,
    `DECLARE export NO SCROLL CURSOR FOR
     SELECT ${COLUMNS} FROM delivery d JOIN lead l ON l.lead_id = d.lead_id
     WHERE d.buyer_key = $1 AND d.delivered_at >= $2 AND d.delivered_at < $3 AND ${condition}
     ORDER BY d.delivered_at DESC, d.delivery_id DESC`,
  );

export const openCursor = {
  any: cursorOf('any', 'true'),
  Pending: cursorOf('pending', `d.status = 'Pending'`),
  Confirmed: cursorOf('confirmed', `d.status = 'Confirmed'`),
  Failed: cursorOf('failed', 'd.failed_at IS NOT NULL'),
  Returned: cursorOf('returned', 'd.returned_at IS NOT NULL'),
};

// Less than a millisecond of the process's one thread, then others get their turn. Larger pages are no faster, and each that outlives two
// collections of young memory costs old memory.
export const EXPORT_PAGE = 100;
export const nextPage = statement('deliveries.export_next', `FETCH ${EXPORT_PAGE} FROM export`);
