// Finds invoices for the operator: a list, or one by its number or id (contract 7.2).
import { uuidOf } from '../base/ids.ts';
import { NEWEST, type TimePosition } from '../base/time-position.ts';
import type { Tx } from '../platform/database/database.ts';
import type { Invoice, InvoiceStatus } from './invoice.ts';
import { byId, byNumber, listInvoicesSql } from './invoice.sql.ts';

export type InvoiceConditions = {
  /** Null is no condition. */
  readonly buyerKey: string | null;
  readonly status: InvoiceStatus | null;
  readonly after: TimePosition | null;
  readonly limit: number;
};

/** Newest first, from behind `after`. */
export async function findInvoices(
  tx: Tx,
  { buyerKey, status, after, limit }: InvoiceConditions,
  now: Date,
): Promise<Invoice[]> {
  const { at, id } = after ?? NEWEST;
  return tx.query(listInvoicesSql, { buyerKey, status, now, at, id, limit });
}

/** `name` is `INV-…` or `inv_…`; null where no invoice is called so. */
export async function findInvoice(tx: Tx, name: string, now: Date): Promise<Invoice | null> {
  const invoiceId = uuidOf('invoice', name);
  const [invoice] =
    invoiceId === null ? await tx.query(byNumber, { number: name, now }) : await tx.query(byId, { invoiceId, now });
  return invoice ?? null;
}
