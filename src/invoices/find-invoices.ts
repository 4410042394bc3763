// Reads and locks invoices: for operators by number or id, for partners their own, and the details of a document (contract 6.18, 7.2).
import { strict as assert } from 'node:assert';
import { uuidOf, type InvoiceId, type TransferId } from '../base/ids.ts';
import { NEWEST, type TimePosition } from '../base/time-position.ts';
import type { Tx } from '../platform/database/database.ts';
import type { Invoice, InvoiceStatus, InvoiceDetail } from './invoice.ts';
import {
  byId,
  byNumber,
  listInvoicesSql,
  ofBuyer,
  ofBuyerById,
  countCredits,
  creditsOf,
  invoicesOfTransfers,
  itemsOf,
  paymentsOf,
  lockProgress,
} from './invoice.sql.ts';

export type InvoiceConditions = {
  /** Null members are no condition. */
  readonly buyerKey: string | null;
  readonly status: InvoiceStatus | null;
  readonly after: TimePosition | null;
  readonly limit: number;
};

/** Newest first, starting after `after`. */
export async function findInvoices(
  tx: Tx,
  { buyerKey, status, after, limit }: InvoiceConditions,
  now: Date,
): Promise<Invoice[]> {
  const { at, id } = after ?? NEWEST;
  return tx.query(listInvoicesSql, { buyerKey, status, now, at, id, limit });
}

/** `name` is a number (`INV-…`) or an id (`inv_…`). Null if there is no such invoice. */
export async function findInvoice(tx: Tx, name: string, now: Date): Promise<Invoice | null> {
  const invoiceId = uuidOf('invoice', name);
  const [invoice] =
    invoiceId === null ? await tx.query(byNumber, { number: name, now }) : await tx.query(byId, { invoiceId, now });
  return invoice ?? null;
}

/** All invoices of a partner, newest first: twelve a year. */
export async function readInvoices(tx: Tx, buyerKey: string, now: Date): Promise<Invoice[]> {
  return tx.query(ofBuyer, { buyerKey, now });
}

/** Null if the partner has no such invoice. */
export async function readInvoice(tx: Tx, buyerKey: string, invoiceId: InvoiceId, now: Date): Promise<Invoice | null> {
  const [invoice] = await tx.query(ofBuyerById, { buyerKey, invoiceId, now });
  return invoice ?? null;
}

/** By transfer, for those of the given ones that are on an invoice. */
export async function readInvoiceIds(
  tx: Tx,
  transferIds: readonly TransferId[],
): Promise<ReadonlyMap<TransferId, InvoiceId>> {
  if (transferIds.length === 0) return new Map();
  const rows = await tx.query(invoicesOfTransfers, { transferIds });
  return new Map(rows.map(({ transferId, invoiceId }) => [transferId, invoiceId]));
}

// Two pages, so that a document renders quickly; all credits are in the ledger.
const CREDITS_LISTED = 100;

/** Items, credits and payments. As quick for a million charges as for ten, because items are aggregated and credits limited. */
export async function readInvoiceDetail(tx: Tx, invoice: Invoice): Promise<InvoiceDetail> {
  const { invoiceId } = invoice;
  const items = await tx.query(itemsOf, { invoiceId });
  const credits = await tx.query(creditsOf, { invoiceId, limit: CREDITS_LISTED });
  const [count] = await tx.query(countCredits, { invoiceId });
  assert(count !== undefined, 'a count always returns a row');
  const payments = await tx.query(paymentsOf, { invoiceId });
  return { invoice, items, credits, creditCount: count.credits, payments };
}

/**
 * Locks the invoicing of the partner, so that no invoice of it is issued, paid or voided concurrently, and returns the invoice as read under
 * the lock. Null if there is no such invoice.
 */
export async function lockInvoice(tx: Tx, name: string, now: Date): Promise<Invoice | null> {
  const found = await findInvoice(tx, name, now);
  if (found === null) return null;
  await tx.query(lockProgress, { buyerKey: found.buyerKey });
  return findInvoice(tx, name, now);
}
