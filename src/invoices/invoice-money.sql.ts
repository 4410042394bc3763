// SQL statements for what happens to issued invoices: payments, money of the balance, overdue and reminded invoices.
import { statement } from '../platform/database/database.ts';
import type { InvoiceId } from '../base/ids.ts';

/** The invoicing of the partner must be locked. Sets the status here, because a scheduled job may concurrently write `overdue`. */
export const applyMoney = statement<{
  readonly invoiceId: InvoiceId;
  readonly paidCents: number;
  readonly fromBalanceCents: number;
  readonly now: Date;
}>(
  'invoices.apply_money',
  `UPDATE invoice SET paid_cents = paid_cents + $paidCents, from_balance_cents = from_balance_cents + $fromBalanceCents,
          amount_due_cents = amount_due_cents - ($paidCents::bigint + $fromBalanceCents::bigint),
          status = CASE WHEN amount_due_cents = $paidCents::bigint + $fromBalanceCents::bigint THEN 'paid' ELSE status END,
          paid_at = CASE WHEN amount_due_cents = $paidCents::bigint + $fromBalanceCents::bigint THEN $now::timestamptz ELSE NULL END
   WHERE invoice_id = $invoiceId`,
);

const MONEY_VERSION = `(SELECT coalesce(sum(version), 0)::bigint FROM account
   WHERE account_key IN ('cash:' || progress.buyer_key, 'adjustment:' || progress.buyer_key))`;

/** Partners with open invoices that paid, or whose balance was adjusted, since their invoices were last paid from the balance. */
export const buyersToSettle = statement<void, { buyerKey: string }>(
  'invoices.buyers_to_settle',
  `SELECT progress.buyer_key AS "buyerKey" FROM invoice_progress AS progress
   WHERE EXISTS (SELECT FROM invoice WHERE invoice.buyer_key = progress.buyer_key AND status IN ('issued', 'overdue'))
     AND settled_money <> ${MONEY_VERSION} ORDER BY 1`,
);

export const writeSettled = statement<{ readonly buyerKey: string }>(
  'invoices.write_settled',
  `UPDATE invoice_progress AS progress SET settled_money = ${MONEY_VERSION} WHERE buyer_key = $buyerKey`,
);

/** The oldest first. */
export const openInvoices = statement<{ readonly buyerKey: string }, { invoiceId: InvoiceId; amountDueCents: number }>(
  'invoices.open_of_buyer',
  `SELECT invoice_id AS "invoiceId", amount_due_cents AS "amountDueCents" FROM invoice
   WHERE buyer_key = $buyerKey AND status IN ('issued', 'overdue') ORDER BY issued_at, invoice_id`,
);

/** Skips locked invoices, which another process marks or an operator pays. */
export const writeOverdue = statement<
  { readonly now: Date; readonly limit: number },
  { invoiceId: InvoiceId; buyerKey: string }
>(
  'invoices.write_overdue',
  `WITH due AS (SELECT invoice_id FROM invoice WHERE status = 'issued' AND due_at <= $now
                ORDER BY due_at LIMIT $limit FOR UPDATE SKIP LOCKED)
   UPDATE invoice SET status = 'overdue' FROM due WHERE invoice.invoice_id = due.invoice_id
   RETURNING invoice.invoice_id AS "invoiceId", invoice.buyer_key AS "buyerKey"`,
);

/** Marks invoices that are overdue by so many days and whose last reminder was an earlier one. Skips locked invoices, which a payment holds. */
export const writeReminded = statement<
  { readonly now: Date; readonly days: number; readonly limit: number },
  { invoiceId: InvoiceId }
>(
  'invoices.write_reminded',
  `WITH due AS (SELECT invoice_id FROM invoice
                WHERE status = 'overdue' AND due_at <= $now::timestamptz - make_interval(secs => $days::integer * 86400.0)
                  AND reminded_days < $days
                ORDER BY due_at LIMIT $limit FOR UPDATE SKIP LOCKED)
   UPDATE invoice SET reminded_days = $days FROM due WHERE invoice.invoice_id = due.invoice_id
   RETURNING invoice.invoice_id AS "invoiceId"`,
);
