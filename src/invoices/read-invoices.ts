// Reads a partner's own invoices (contract 6.18).
import type { InvoiceId } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import type { Invoice } from './invoice.ts';
import { ofBuyer, ofBuyerById } from './invoice.sql.ts';

/** All of them, newest first: a dozen a year. */
export async function readInvoices(tx: Tx, buyerKey: string, now: Date): Promise<Invoice[]> {
  return tx.query(ofBuyer, { buyerKey, now });
}

/** Null where the partner has no such invoice, whoever else may have. */
export async function readInvoice(tx: Tx, buyerKey: string, invoiceId: InvoiceId, now: Date): Promise<Invoice | null> {
  const [invoice] = await tx.query(ofBuyerById, { buyerKey, invoiceId, now });
  return invoice ?? null;
}
