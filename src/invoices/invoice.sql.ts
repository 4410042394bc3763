// SQL statements for invoices. They read transfers of the ledger and write none. All changes to invoices lock the row of the partner in
// invoice_progress first, and the counter of numbers last, because all partners share it.
import { statement } from '../platform/database/database.ts';
import type { InvoiceId, TransferId, Uuid } from '../base/ids.ts';
import type { Invoice, InvoiceItem, InvoicePosting } from './invoice.ts';
import type { Amounts, BalanceSummary } from './settlement.rules.ts';

/** Selects the transfers for an invoice. */
export type Selection = {
  readonly accountKey: string;
  readonly settledVersion: number;
  readonly buyerKey: string;
  /** Charges with from ≤ at < until for one of the pairs. */
  readonly fromTimes: readonly Date[];
  readonly untilTimes: readonly Date[];
  /** The end of the month; later credits belong to later invoices. */
  readonly endsAt: Date;
};

/** Locks the invoicing of a partner until the transaction ends; inserts its row if missing. */
export const lockProgress = statement<{ readonly buyerKey: string }>(
  'invoices.lock_progress',
  `INSERT INTO invoice_progress (buyer_key) VALUES ($buyerKey)
   ON CONFLICT (buyer_key) DO UPDATE SET buyer_key = excluded.buyer_key`,
);

export const readProgress = statement<{ readonly buyerKey: string }, { settledVersion: number }>(
  'invoices.read_progress',
  'SELECT settled_version AS "settledVersion" FROM invoice_progress WHERE buyer_key = $buyerKey',
);

export const writeProgress = statement<{ readonly buyerKey: string; readonly settledVersion: number }>(
  'invoices.write_progress',
  'UPDATE invoice_progress SET settled_version = $settledVersion WHERE buyer_key = $buyerKey',
);

export const liveMonths = statement<{ readonly buyerKey: string }, { month: string }>(
  'invoices.live_months',
  `SELECT to_char(period, 'YYYY-MM') AS month FROM invoice WHERE buyer_key = $buyerKey AND status <> 'void'`,
);

// No entry up to $settledVersion is open. The set difference costs the same even if statistics are outdated, e.g. after a million new lines.
const OPEN = `still_open AS (
     SELECT account_version FROM entry WHERE account_key = $accountKey AND account_version > $settledVersion
     EXCEPT
     SELECT line.account_version FROM invoice JOIN invoice_line AS line USING (invoice_id)
     WHERE invoice.buyer_key = $buyerKey AND invoice.status <> 'void' AND line.account_version > $settledVersion),
   open AS (
     SELECT account_version, transfer_id, entry.created_at, transfer.type, transfer.amount_cents
     FROM still_open JOIN entry USING (account_version) JOIN transfer USING (transfer_id)
     WHERE entry.account_key = $accountKey AND transfer.type IN ('charge', 'credit'))`;
const WANTED = `((type = 'charge' AND EXISTS (
       SELECT FROM unnest($fromTimes::timestamptz[], $untilTimes::timestamptz[]) AS span (from_at, until_at)
       WHERE created_at >= from_at AND created_at < until_at))
     OR (type = 'credit' AND created_at < $endsAt))`;
const SUMS = `coalesce(sum(amount_cents) FILTER (WHERE type = 'charge'), 0)::bigint AS "subtotalCents",
     coalesce(sum(amount_cents) FILTER (WHERE type = 'credit'), 0)::bigint AS "creditsCents"`;
// Amounts carried to an invoice that is not issued yet.
const CARRIED = `SELECT coalesce(sum(carried_out_cents), 0)::bigint FROM invoice
   WHERE buyer_key = $buyerKey AND status <> 'void' AND carried_out_cents > 0 AND carried_to IS NULL`;
// From the row of `account`, which may be missing, and the sums over `open`.
const BALANCE = `coalesce((SELECT balance_cents FROM account WHERE account_key = $accountKey), 0) AS "balanceCents",
     (SELECT coalesce(sum(amount_due_cents), 0)::bigint FROM invoice WHERE buyer_key = $buyerKey AND status <> 'void') AS "dueCents",
     sums."subtotalCents" AS "unbilledChargesCents", sums."creditsCents" AS "unbilledCreditsCents", (${CARRIED}) AS "carriedCents"`;

/** One statement, so that balance and entries are of the same instant. */
export const selectBalance = statement<Pick<Selection, 'accountKey' | 'settledVersion' | 'buyerKey'>, BalanceSummary>(
  'invoices.standing',
  `WITH ${OPEN}, sums AS (SELECT ${SUMS} FROM open) SELECT ${BALANCE} FROM sums`,
);

/** Sums that an invoice would include, and the balance before it. */
export const selectOutlook = statement<
  Selection,
  { lines: number } & Pick<Amounts, 'subtotalCents' | 'creditsCents' | 'carriedInCents'> & BalanceSummary
>(
  'invoices.outlook',
  `WITH ${OPEN}, sums AS (SELECT ${SUMS} FROM open),
        wanted AS (SELECT count(*) AS lines, ${SUMS} FROM open WHERE ${WANTED})
   SELECT wanted.*, (${CARRIED} AND ends_at <= $endsAt) AS "carriedInCents", ${BALANCE} FROM wanted, sums`,
);

/** The sums of the lines, and the account version up to which everything is invoiced. */
export type InsertedLines = Pick<Amounts, 'subtotalCents' | 'creditsCents'> & { readonly settledVersion: number };

export const insertLines = statement<Selection & { readonly invoiceId: InvoiceId }, InsertedLines>(
  'invoices.insert_lines',
  `WITH ${OPEN},
        added AS (INSERT INTO invoice_line (invoice_id, transfer_id, type, account_version, amount_cents)
                  SELECT $invoiceId::uuid, transfer_id, type, account_version, amount_cents FROM open WHERE ${WANTED}
                  RETURNING type, amount_cents)
   SELECT ${SUMS}, coalesce((SELECT min(account_version) - 1 FROM open WHERE NOT ${WANTED}),
                            (SELECT version FROM account WHERE account_key = $accountKey)) AS "settledVersion"
   FROM added`,
);

/** Aggregates charges by the description without its delivery reference: `Lead Sale LS-100042` is a `Lead Sale`. */
export const insertItems = statement<{ readonly invoiceId: InvoiceId; readonly dayStarts: readonly Date[] }>(
  'invoices.insert_items',
  `INSERT INTO invoice_item (invoice_id, day, what, unit_cents, quantity)
   SELECT $invoiceId, width_bucket(transfer.created_at, $dayStarts::timestamptz[]),
          regexp_replace(transfer.description, ' [A-Z]{2}-[0-9]+$', ''), line.amount_cents, count(*)
   FROM invoice_line AS line JOIN transfer USING (transfer_id)
   WHERE line.invoice_id = $invoiceId AND line.type = 'charge' GROUP BY 2, 3, 4`,
);

export const insertDraft = statement<{
  readonly invoiceId: InvoiceId;
  readonly buyerKey: string;
  readonly month: string;
  readonly timeZone: string;
  readonly startsAt: Date;
  readonly endsAt: Date;
  readonly sellerName: string;
  readonly buyerName: string;
  readonly sellerDetails: string;
  readonly buyerDetails: string;
  readonly currency: string;
  readonly now: Date;
}>(
  'invoices.insert_draft',
  `INSERT INTO invoice (invoice_id, buyer_key, period, time_zone, starts_at, ends_at, seller_name, buyer_name, seller_details, buyer_details, currency,
                        status, created_at)
   VALUES ($invoiceId, $buyerKey, to_date($month, 'YYYY-MM'), $timeZone, $startsAt, $endsAt, $sellerName, $buyerName, $sellerDetails::jsonb, $buyerDetails::jsonb, $currency,
           'draft', $now)`,
);

/** Waits for concurrent transactions that issue invoices; if one rolls back, its number is used next. */
export const nextNumber = statement<{ readonly year: number }, { count: number }>(
  'invoices.next_number',
  `INSERT INTO invoice_counter AS counter (year, last_number) VALUES ($year, 1)
   ON CONFLICT (year) DO UPDATE SET last_number = counter.last_number + 1 RETURNING last_number AS count`,
);

/** Assigns the amounts carried by invoices of earlier months to this one, and returns their sum. */
export const takeCarried = statement<
  { readonly buyerKey: string; readonly invoiceId: InvoiceId; readonly endsAt: Date },
  { carriedInCents: number }
>(
  'invoices.take_carried',
  `WITH taken AS (UPDATE invoice SET carried_to = $invoiceId
     WHERE buyer_key = $buyerKey AND status <> 'void' AND carried_out_cents > 0 AND carried_to IS NULL AND ends_at <= $endsAt
     RETURNING carried_out_cents)
   SELECT coalesce(sum(carried_out_cents), 0)::bigint AS "carriedInCents" FROM taken`,
);

/** Releases the amounts carried to a voided invoice. */
export const releaseCarried = statement<{ readonly buyerKey: string; readonly invoiceId: InvoiceId }>(
  'invoices.release_carried',
  'UPDATE invoice SET carried_to = NULL WHERE buyer_key = $buyerKey AND carried_to = $invoiceId',
);

export const issueDraft = statement<{
  readonly invoiceId: InvoiceId;
  readonly status: string;
  readonly number: string;
  readonly subtotalCents: number;
  readonly creditsCents: number;
  readonly taxBasisPoints: number;
  readonly taxCents: number;
  readonly totalCents: number;
  readonly fromBalanceCents: number;
  readonly amountDueCents: number;
  readonly now: Date;
  readonly dueAt: Date;
  readonly paidAt: Date | null;
  readonly carriedInCents: number;
  readonly carriedOutCents: number;
}>(
  'invoices.issue_draft',
  `UPDATE invoice SET status = $status, number = $number, subtotal_cents = $subtotalCents, credits_cents = $creditsCents, total_cents = $totalCents,
          tax_basis_points = $taxBasisPoints, tax_cents = $taxCents, from_balance_cents = $fromBalanceCents,
          amount_due_cents = $amountDueCents, issued_at = $now, due_at = $dueAt, paid_at = $paidAt, carried_in_cents = $carriedInCents, carried_out_cents = $carriedOutCents
   WHERE invoice_id = $invoiceId`,
);

// An invoice is overdue from its due time on, even before the stored status says so.
const INVOICE = `invoice_id AS "invoiceId", number, buyer_key AS "buyerKey",
   to_char(period, 'YYYY-MM') AS month, time_zone AS "timeZone", starts_at AS "startsAt", ends_at AS "endsAt",
   seller_name AS "sellerName", buyer_name AS "buyerName",
   seller_details AS "sellerDetails", buyer_details AS "buyerDetails", currency,
   CASE WHEN status = 'issued' AND due_at <= $now THEN 'overdue' ELSE status END AS status,
   subtotal_cents AS "subtotalCents", credits_cents AS "creditsCents",
   carried_in_cents AS "carriedInCents", carried_out_cents AS "carriedOutCents", carried_to AS "carriedTo",
   tax_basis_points AS "taxBasisPoints", tax_cents AS "taxCents", total_cents AS "totalCents",
   from_balance_cents AS "fromBalanceCents", paid_cents AS "paidCents", amount_due_cents AS "amountDueCents",
   issued_at AS "issuedAt", due_at AS "dueAt", paid_at AS "paidAt", voided_at AS "voidedAt", void_note AS "voidNote"`;
const NEWEST_FIRST = 'ORDER BY issued_at DESC, invoice_id DESC';

export const ofBuyer = statement<{ readonly buyerKey: string; readonly now: Date }, Invoice>(
  'invoices.of_buyer',
  `SELECT ${INVOICE} FROM invoice WHERE buyer_key = $buyerKey AND status <> 'draft' ${NEWEST_FIRST}`,
);

export const ofBuyerById = statement<
  { readonly buyerKey: string; readonly invoiceId: InvoiceId; readonly now: Date },
  Invoice
>(
  'invoices.of_buyer_by_id',
  `SELECT ${INVOICE} FROM invoice WHERE buyer_key = $buyerKey AND invoice_id = $invoiceId AND status <> 'draft'`,
);

export const byNumber = statement<{ readonly number: string; readonly now: Date }, Invoice>(
  'invoices.by_number',
  `SELECT ${INVOICE} FROM invoice WHERE number = $number AND status <> 'draft'`,
);

export const byId = statement<{ readonly invoiceId: InvoiceId; readonly now: Date }, Invoice>(
  'invoices.by_id',
  `SELECT ${INVOICE} FROM invoice WHERE invoice_id = $invoiceId AND status <> 'draft'`,
);

export const byIds = statement<{ readonly invoiceIds: readonly InvoiceId[]; readonly now: Date }, Invoice>(
  'invoices.by_ids',
  `SELECT ${INVOICE} FROM invoice WHERE invoice_id = ANY ($invoiceIds::uuid[]) AND status <> 'draft'`,
);

export const liveOfMonth = statement<
  { readonly buyerKey: string; readonly month: string; readonly now: Date },
  Invoice
>(
  'invoices.live_of_month',
  `SELECT ${INVOICE} FROM invoice
   WHERE buyer_key = $buyerKey AND period = to_date($month, 'YYYY-MM') AND status NOT IN ('draft', 'void')`,
);

export const listInvoicesSql = statement<
  {
    readonly buyerKey: string | null;
    readonly status: string | null;
    readonly now: Date;
    readonly at: Date;
    readonly id: Uuid;
    readonly limit: number;
  },
  Invoice
>(
  'invoices.list',
  `SELECT * FROM (
     SELECT ${INVOICE} FROM invoice
     WHERE status <> 'draft' AND ($buyerKey::text IS NULL OR buyer_key = $buyerKey) AND (issued_at, invoice_id) < ($at, $id)) AS listed
   WHERE $status::text IS NULL OR status = $status ORDER BY "issuedAt" DESC, "invoiceId" DESC LIMIT $limit`,
);

export const itemsOf = statement<{ readonly invoiceId: InvoiceId }, InvoiceItem>(
  'invoices.items',
  `SELECT day, what, unit_cents AS "unitCents", quantity FROM invoice_item WHERE invoice_id = $invoiceId
   ORDER BY day, what COLLATE "C", unit_cents DESC`,
);

export const creditsOf = statement<{ readonly invoiceId: InvoiceId; readonly limit: number }, InvoicePosting>(
  'invoices.credits',
  `SELECT transfer.created_at AS at, transfer.description, line.amount_cents AS "amountCents"
   FROM invoice_line AS line JOIN transfer USING (transfer_id)
   WHERE line.invoice_id = $invoiceId AND line.type = 'credit' ORDER BY line.account_version LIMIT $limit`,
);

export const countCredits = statement<{ readonly invoiceId: InvoiceId }, { credits: number }>(
  'invoices.count_credits',
  `SELECT count(*) AS credits FROM invoice_line WHERE invoice_id = $invoiceId AND type = 'credit'`,
);

export const paymentsOf = statement<{ readonly invoiceId: InvoiceId }, InvoicePosting>(
  'invoices.payments',
  `SELECT created_at AS at, description, amount_cents AS "amountCents" FROM transfer
   WHERE invoice_id = $invoiceId AND type = 'payment' ORDER BY created_at, transfer_id`,
);

export const invoicesOfTransfers = statement<
  { readonly transferIds: readonly TransferId[] },
  { transferId: TransferId; invoiceId: InvoiceId }
>(
  'invoices.of_transfers',
  `SELECT transfer_id AS "transferId", invoice_id AS "invoiceId" FROM invoice_line
   WHERE transfer_id = ANY ($transferIds::uuid[]) AND NOT is_void`,
);

/** The foreign key makes its lines void as well. */
export const voidInvoiceSql = statement<{ readonly invoiceId: InvoiceId; readonly now: Date; readonly note: string }>(
  'invoices.void',
  `UPDATE invoice SET status = 'void', amount_due_cents = 0, voided_at = $now, void_note = $note WHERE invoice_id = $invoiceId`,
);

/** Lowers the settled version, so that the transfers of the voided invoice are open again. */
export const reopenProgress = statement<{ readonly buyerKey: string; readonly invoiceId: InvoiceId }>(
  'invoices.reopen_progress',
  `UPDATE invoice_progress SET settled_money = -1, settled_version = least(settled_version, (
     SELECT min(account_version) - 1 FROM invoice_line WHERE invoice_id = $invoiceId))
   WHERE buyer_key = $buyerKey`,
);

export { INVOICE as invoiceColumns };
