// SQL statements for receipts. They read payments from the ledger and write none.
import { statement } from '../../platform/database/database.ts';
import type { InvoiceId, ReceiptId, TransferId } from '../../base/ids.ts';
import type { Receipt } from './receipt.ts';

/** Partners with payments that were not looked at. Every payment is an entry of the partner's account `cash`. */
export const buyersWithPayments = statement<void, { buyerKey: string }>(
  'receipts.buyers_with_payments',
  `SELECT account.buyer_key AS "buyerKey" FROM account LEFT JOIN receipt_progress AS progress USING (buyer_key)
   WHERE account.kind = 'cash' AND account.version > coalesce(progress.cash_version, 0) ORDER BY 1`,
);

/** Locks the receipts of a partner until the transaction ends; inserts its row if missing. */
export const lockReceipts = statement<{ readonly buyerKey: string }, { cashVersion: number }>(
  'receipts.lock',
  `INSERT INTO receipt_progress (buyer_key, cash_version) VALUES ($buyerKey, 0)
   ON CONFLICT (buyer_key) DO UPDATE SET buyer_key = excluded.buyer_key RETURNING cash_version AS "cashVersion"`,
);

export type NewPayment = {
  readonly cashVersion: number;
  readonly transferId: TransferId;
  readonly amountCents: number;
  readonly description: string;
  readonly invoiceId: InvoiceId | null;
  readonly paidAt: Date;
  /** Of the partner's account after it. */
  readonly balanceCents: number;
};

/** In their order, from the one after the version. */
export const paymentsAfter = statement<
  { readonly buyerKey: string; readonly cashVersion: number; readonly limit: number },
  NewPayment
>(
  'receipts.payments_after',
  `SELECT paid.account_version AS "cashVersion", transfer_id AS "transferId", transfer.amount_cents AS "amountCents",
          transfer.description, transfer.invoice_id AS "invoiceId", transfer.created_at AS "paidAt", own.balance_after_cents AS "balanceCents"
   FROM entry AS paid JOIN transfer USING (transfer_id) JOIN entry AS own USING (transfer_id)
   WHERE paid.account_key = 'cash:' || $buyerKey::text AND paid.account_version > $cashVersion
     AND own.account_key = 'buyer:' || $buyerKey::text AND transfer.type = 'payment'
   ORDER BY paid.account_version LIMIT $limit`,
);

export const writeReceiptProgress = statement<{ readonly buyerKey: string; readonly cashVersion: number }>(
  'receipts.write_progress',
  'UPDATE receipt_progress SET cash_version = $cashVersion WHERE buyer_key = $buyerKey',
);

/** Waits for concurrent transactions that issue receipts; if one rolls back, its number is used next. */
export const nextReceiptNumber = statement<{ readonly year: number }, { count: number }>(
  'receipts.next_number',
  `INSERT INTO receipt_counter AS counter (year, last_number) VALUES ($year, 1)
   ON CONFLICT (year) DO UPDATE SET last_number = counter.last_number + 1 RETURNING last_number AS count`,
);

export const insertReceipt = statement<
  Omit<Receipt, 'sellerDetails' | 'buyerDetails'> & {
    readonly transferId: TransferId;
    readonly sellerDetails: string;
    readonly buyerDetails: string;
  }
>(
  'receipts.insert',
  `INSERT INTO receipt (receipt_id, buyer_key, number, transfer_id, amount_cents, description, paid_at, time_zone, currency,
                        seller_name, seller_details, buyer_name, buyer_details, issued_at)
   VALUES ($receiptId, $buyerKey, $number, $transferId, $amountCents, $description, $paidAt, $timeZone, $currency,
           $sellerName, $sellerDetails::jsonb, $buyerName, $buyerDetails::jsonb, $issuedAt)`,
);

const RECEIPT = `receipt_id AS "receiptId", number, buyer_key AS "buyerKey", amount_cents AS "amountCents", description, paid_at AS "paidAt",
   time_zone AS "timeZone", currency, seller_name AS "sellerName", seller_details AS "sellerDetails", buyer_name AS "buyerName",
   buyer_details AS "buyerDetails", issued_at AS "issuedAt"`;

/** Newest first. */
export const receiptsOfBuyer = statement<{ readonly buyerKey: string; readonly limit: number }, Receipt>(
  'receipts.of_buyer',
  `SELECT ${RECEIPT} FROM receipt WHERE buyer_key = $buyerKey ORDER BY issued_at DESC, receipt_id DESC LIMIT $limit`,
);

export const receiptById = statement<{ readonly receiptId: ReceiptId }, Receipt>(
  'receipts.by_id',
  `SELECT ${RECEIPT} FROM receipt WHERE receipt_id = $receiptId`,
);

export const receiptOfBuyer = statement<{ readonly buyerKey: string; readonly receiptId: ReceiptId }, Receipt>(
  'receipts.one_of_buyer',
  `SELECT ${RECEIPT} FROM receipt WHERE buyer_key = $buyerKey AND receipt_id = $receiptId`,
);
