// The SQL of the operator's list of invoices, page by page.
import { type PositionalStatement, statement } from '../platform/database/database.ts';
import { COUNTED_MAX } from '../base/counted-max.ts';
import type { ListedStatus } from './listed-status.ts';
import { invoiceColumns } from './invoice.sql.ts';
import type { MonthSum } from './list-invoices.ts';

/** `$1` is now: an invoice is overdue from the instant it was due, whenever that is written down. */
const STATUSES = {
  any: `status <> 'draft'`,
  open: `status IN ('issued', 'overdue')`,
  issued: `status = 'issued' AND due_at > $1`,
  overdue: `status IN ('issued', 'overdue') AND due_at <= $1`,
  paid: `status = 'paid'`,
  void: `status = 'void'`,
} as const satisfies Record<ListedStatus, string>;

export type InvoiceFilter = {
  readonly status: ListedStatus;
  /** `YYYY-MM`; null for all. */
  readonly month: string | null;
  readonly buyerKey: string | null;
};

type Listing = {
  readonly page: PositionalStatement;
  readonly count: PositionalStatement;
  readonly values: readonly unknown[];
};

/** A statement for each set of conditions, because only what is certain at planning leads to an index. */
export function listingOf({ status, month, buyerKey }: InvoiceFilter, now: Date): Listing {
  const values: unknown[] = [now];
  const conditions: string[] = [STATUSES[status]];
  if (month !== null) conditions.push(`period = to_date($${values.push(month)}, 'YYYY-MM')`);
  if (buyerKey !== null) conditions.push(`buyer_key = $${values.push(buyerKey)}`);
  // Named also where no condition names it, or its type would not be known.
  const where = `$1::timestamptz IS NOT NULL AND ${conditions.join(' AND ')}`;
  const name = `${status}${month === null ? '' : '_of_month'}${buyerKey === null ? '' : '_of_partner'}`;
  const [offset, limit] = [values.length + 1, values.length + 2];
  return {
    page: statement(
      `invoices.page_${name}`,
      `SELECT ${invoiceColumns('$1')} FROM invoice WHERE ${where}
       ORDER BY issued_at DESC, invoice_id DESC OFFSET $${offset} LIMIT $${limit}`,
    ),
    count: statement(
      `invoices.count_${name}`,
      `SELECT count(*) AS total FROM (SELECT FROM invoice WHERE ${where} LIMIT ${COUNTED_MAX + 1}) AS counted`,
    ),
    values,
  };
}

/** All of a month that are not void: as many as there are partners. */
export const sumOfMonth = statement<{ readonly month: string }, MonthSum>(
  'invoices.sum_of_month',
  `SELECT count(*) AS invoices, coalesce(sum(subtotal_cents), 0)::bigint AS "subtotalCents",
          coalesce(sum(credits_cents), 0)::bigint AS "creditsCents", coalesce(sum(total_cents), 0)::bigint AS "totalCents",
          coalesce(sum(amount_due_cents), 0)::bigint AS "amountDueCents"
   FROM invoice WHERE period = to_date($month, 'YYYY-MM') AND status NOT IN ('draft', 'void')`,
);
