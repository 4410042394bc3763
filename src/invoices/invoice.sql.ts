// The SQL of invoices: it reads the ledger's transfers and writes none. Everything that changes an invoice holds its partner's row of
// invoice_progress; the counter of numbers is locked last, because all partners share it.
import { statement } from '../platform/database/database.ts';

/** Begins, or continues, what is known of a partner's invoicing, and locks it until the transaction ends. */
export const lockProgress = statement(
  'invoices.lock_progress',
  `INSERT INTO invoice_progress (buyer_key) VALUES ($1)
   ON CONFLICT (buyer_key) DO UPDATE SET buyer_key = excluded.buyer_key`,
);

export const readProgress = statement(
  'invoices.read_progress',
  'SELECT settled_version AS "settledVersion" FROM invoice_progress WHERE buyer_key = $1',
);

export const writeProgress = statement(
  'invoices.write_progress',
  'UPDATE invoice_progress SET settled_version = $2 WHERE buyer_key = $1',
);

export const liveMonths = statement(
  'invoices.live_months',
  `SELECT to_char(period, 'YYYY-MM') AS month FROM invoice WHERE buyer_key = $1 AND status <> 'void'`,
);

// $1 is the key of the partner's account, $2 its settled version (nothing before it is open), $3 the partner's key. A difference of sets,
// which costs the same however wrong the planner's picture of a table is that grew by a million lines a moment ago.
const OPEN = `still_open AS (
     SELECT account_version FROM entry WHERE account_key = $1 AND account_version > $2
     EXCEPT
     SELECT line.account_version FROM invoice JOIN invoice_line AS line USING (invoice_id)
     WHERE invoice.buyer_key = $3 AND invoice.status <> 'void' AND line.account_version > $2),
   open AS (
     SELECT account_version, transfer_id, entry.created_at, transfer.type, transfer.amount_cents
     FROM still_open JOIN entry USING (account_version) JOIN transfer USING (transfer_id)
     WHERE entry.account_key = $1 AND transfer.type IN ('charge', 'credit'))`;
// $4 and $5 are when the charges happened that it takes up, $6 the end of the month: later credits belong to later invoices.
const WANTED = `((type = 'charge' AND EXISTS (
       SELECT FROM unnest($4::timestamptz[], $5::timestamptz[]) AS span (from_at, until_at)
       WHERE created_at >= from_at AND created_at < until_at))
     OR (type = 'credit' AND created_at < $6))`;
const SUMS = `coalesce(sum(amount_cents) FILTER (WHERE type = 'charge'), 0)::bigint AS "subtotalCents",
     coalesce(sum(amount_cents) FILTER (WHERE type = 'credit'), 0)::bigint AS "creditsCents"`;
// What invoices carry to a later one that has not been issued yet.
const CARRIED = `SELECT coalesce(sum(carried_out_cents), 0)::bigint FROM invoice
   WHERE buyer_key = $3 AND status <> 'void' AND carried_out_cents > 0 AND carried_to IS NULL`;
// Of a row of `account`, which may be missing, and of the sums over `open`.
const STANDING = `coalesce((SELECT balance_cents FROM account WHERE account_key = $1), 0) AS "balanceCents",
     (SELECT coalesce(sum(amount_due_cents), 0)::bigint FROM invoice WHERE buyer_key = $3 AND status <> 'void') AS "dueCents",
     sums."subtotalCents" AS "unbilledChargesCents", sums."creditsCents" AS "unbilledCreditsCents", (${CARRIED}) AS "carriedCents"`;

/** One statement, so that balance and entries are of one instant. */
export const selectStanding = statement(
  'invoices.standing',
  `WITH ${OPEN}, sums AS (SELECT ${SUMS} FROM open) SELECT ${STANDING} FROM sums`,
);

/** What an invoice would take up, and how the partner stands before it. */
export const selectOutlook = statement(
  'invoices.outlook',
  `WITH ${OPEN}, sums AS (SELECT ${SUMS} FROM open),
        wanted AS (SELECT count(*) AS lines, ${SUMS} FROM open WHERE ${WANTED})
   SELECT wanted.*, (${CARRIED} AND ends_at <= $6) AS "carriedInCents", ${STANDING} FROM wanted, sums`,
);

/** Answers with the sums of the lines, and up to which version of the account everything is now invoiced. */
export const insertLines = statement(
  'invoices.insert_lines',
  `WITH ${OPEN},
        added AS (INSERT INTO invoice_line (invoice_id, transfer_id, type, account_version, amount_cents)
                  SELECT $7::uuid, transfer_id, type, account_version, amount_cents FROM open WHERE ${WANTED}
                  RETURNING type, amount_cents)
   SELECT ${SUMS}, coalesce((SELECT min(account_version) - 1 FROM open WHERE NOT ${WANTED}),
                            (SELECT version FROM account WHERE account_key = $1)) AS "settledVersion"
   FROM added`,
);

/** What a description says before the reference of its delivery is what an invoice counts: `Lead Sale LS-100042` is a `Lead Sale`. */
export const insertItems = statement(
  'invoices.insert_items',
  `INSERT INTO invoice_item (invoice_id, day, what, unit_cents, quantity)
   SELECT $1, width_bucket(transfer.created_at, $2::timestamptz[]),
          regexp_replace(transfer.description, ' [A-Z]{2}-[0-9]+$', ''), line.amount_cents, count(*)
   FROM invoice_line AS line JOIN transfer USING (transfer_id)
   WHERE line.invoice_id = $1 AND line.type = 'charge' GROUP BY 2, 3, 4`,
);

export const insertDraft = statement(
  'invoices.insert_draft',
  `INSERT INTO invoice (invoice_id, buyer_key, period, time_zone, starts_at, ends_at, seller_name, buyer_name, currency, status, created_at)
   VALUES ($1, $2, to_date($3, 'YYYY-MM'), $4, $5, $6, $7, $8, $9, 'draft', $10)`,
);

/** Waits for whoever is issuing another invoice; where that fails, its number is the one that comes next. */
export const nextNumber = statement(
  'invoices.next_number',
  `INSERT INTO invoice_counter AS counter (year, last_number) VALUES ($1, 1)
   ON CONFLICT (year) DO UPDATE SET last_number = counter.last_number + 1 RETURNING last_number AS count`,
);

/** Takes what earlier months' invoices carry to the next one; answers how much it is. */
export const takeCarried = statement(
  'invoices.take_carried',
  `WITH taken AS (UPDATE invoice SET carried_to = $2
     WHERE buyer_key = $1 AND status <> 'void' AND carried_out_cents > 0 AND carried_to IS NULL AND ends_at <= $3
     RETURNING carried_out_cents)
   SELECT coalesce(sum(carried_out_cents), 0)::bigint AS "carriedInCents" FROM taken`,
);

/** Gives back what a void invoice had taken. */
export const releaseCarried = statement(
  'invoices.release_carried',
  'UPDATE invoice SET carried_to = NULL WHERE buyer_key = $1 AND carried_to = $2',
);

export const issueDraft = statement(
  'invoices.issue_draft',
  `UPDATE invoice SET status = $2, number = $3, subtotal_cents = $4, credits_cents = $5, total_cents = $6, from_balance_cents = $7,
          amount_due_cents = $8, issued_at = $9, due_at = $10, paid_at = $11, carried_in_cents = $12, carried_out_cents = $13
   WHERE invoice_id = $1`,
);

// The last parameter of every statement with it: an invoice is overdue from the instant it was due, whenever that is written down.
const invoice = (now: string): string => `invoice_id AS "invoiceId", number, buyer_key AS "buyerKey",
   to_char(period, 'YYYY-MM') AS month, time_zone AS "timeZone", starts_at AS "startsAt", ends_at AS "endsAt",
   seller_name AS "sellerName", buyer_name AS "buyerName", currency,
   CASE WHEN status = 'issued' AND due_at <= ${now} THEN 'overdue' ELSE status END AS status,
   subtotal_cents AS "subtotalCents", credits_cents AS "creditsCents",
   carried_in_cents AS "carriedInCents", carried_out_cents AS "carriedOutCents", carried_to AS "carriedTo", total_cents AS "totalCents",
   from_balance_cents AS "fromBalanceCents", paid_cents AS "paidCents", amount_due_cents AS "amountDueCents",
   issued_at AS "issuedAt", due_at AS "dueAt", paid_at AS "paidAt", voided_at AS "voidedAt", void_note AS "voidNote"`;
const NEWEST_FIRST = 'ORDER BY issued_at DESC, invoice_id DESC';

export const ofBuyer = statement(
  'invoices.of_buyer',
  `SELECT ${invoice('$2')} FROM invoice WHERE buyer_key = $1 AND status <> 'draft' ${NEWEST_FIRST}`,
);

export const ofBuyerById = statement(
  'invoices.of_buyer_by_id',
  `SELECT ${invoice('$3')} FROM invoice WHERE buyer_key = $1 AND invoice_id = $2 AND status <> 'draft'`,
);

export const byNumber = statement(
  'invoices.by_number',
  `SELECT ${invoice('$2')} FROM invoice WHERE number = $1 AND status <> 'draft'`,
);

export const byId = statement(
  'invoices.by_id',
  `SELECT ${invoice('$2')} FROM invoice WHERE invoice_id = $1 AND status <> 'draft'`,
);

export const liveOfMonth = statement(
  'invoices.live_of_month',
  `SELECT ${invoice('$3')} FROM invoice
   WHERE buyer_key = $1 AND period = to_date($2, 'YYYY-MM') AND status NOT IN ('draft', 'void')`,
);

export const listInvoicesSql = statement(
  'invoices.list',
  `SELECT * FROM (
     SELECT ${invoice('$3')} FROM invoice
     WHERE status <> 'draft' AND ($1::text IS NULL OR buyer_key = $1) AND (issued_at, invoice_id) < ($4, $5)) AS listed
   WHERE $2::text IS NULL OR status = $2 ORDER BY "issuedAt" DESC, "invoiceId" DESC LIMIT $6`,
);

export const itemsOf = statement(
  'invoices.items',
  `SELECT day, what, unit_cents AS "unitCents", quantity FROM invoice_item WHERE invoice_id = $1
   ORDER BY day, what COLLATE "C", unit_cents DESC`,
);

export const creditsOf = statement(
  'invoices.credits',
  `SELECT transfer.created_at AS at, transfer.description, line.amount_cents AS "amountCents"
   FROM invoice_line AS line JOIN transfer USING (transfer_id)
   WHERE line.invoice_id = $1 AND line.type = 'credit' ORDER BY line.account_version LIMIT $2`,
);

export const countCredits = statement(
  'invoices.count_credits',
  `SELECT count(*) AS credits FROM invoice_line WHERE invoice_id = $1 AND type = 'credit'`,
);

export const paymentsOf = statement(
  'invoices.payments',
  `SELECT created_at AS at, description, amount_cents AS "amountCents" FROM transfer
   WHERE invoice_id = $1 AND type = 'payment' ORDER BY created_at, transfer_id`,
);

export const invoicesOfTransfers = statement(
  'invoices.of_transfers',
  `SELECT transfer_id AS "transferId", invoice_id AS "invoiceId" FROM invoice_line
   WHERE transfer_id = ANY ($1::uuid[]) AND NOT is_void`,
);

/** For an invoice whose partner's progress is locked. The scheduled job may write `overdue` meanwhile, so the status is decided here. */
export const applyMoney = statement(
  'invoices.apply_money',
  `UPDATE invoice SET paid_cents = paid_cents + $2, from_balance_cents = from_balance_cents + $3,
          amount_due_cents = amount_due_cents - ($2::bigint + $3::bigint),
          status = CASE WHEN amount_due_cents = $2::bigint + $3::bigint THEN 'paid' ELSE status END,
          paid_at = CASE WHEN amount_due_cents = $2::bigint + $3::bigint THEN $4::timestamptz ELSE NULL END
   WHERE invoice_id = $1`,
);

/** Its lines become void with it, by the foreign key. */
export const voidInvoiceSql = statement(
  'invoices.void',
  `UPDATE invoice SET status = 'void', amount_due_cents = 0, voided_at = $2, void_note = $3 WHERE invoice_id = $1`,
);

/** What the partner's ledger is settled up to, once the invoice's transfers are free again. */
export const reopenProgress = statement(
  'invoices.reopen_progress',
  `UPDATE invoice_progress SET settled_version = least(settled_version, (
     SELECT min(account_version) - 1 FROM invoice_line WHERE invoice_id = $2))
   WHERE buyer_key = $1`,
);

/** Those that another process is writing, or somebody is paying, are left to it or to the next time. */
export const writeOverdue = statement(
  'invoices.write_overdue',
  `WITH due AS (SELECT invoice_id FROM invoice WHERE status = 'issued' AND due_at <= $1
                ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED)
   UPDATE invoice SET status = 'overdue' FROM due WHERE invoice.invoice_id = due.invoice_id
   RETURNING invoice.invoice_id AS "invoiceId", invoice.buyer_key AS "buyerKey"`,
);

export { invoice as invoiceColumns };
