// Reads what an invoice's document shows beside its amounts: items, credits, payments.
import { strict as assert } from 'node:assert';

import type { Tx } from '../platform/database/database.ts';
import type { Invoice, InvoiceDetail } from './invoice.ts';
import { countCredits, creditsOf, itemsOf, paymentsOf } from './invoice.sql.ts';

// Two pages: whoever needs more reads the ledger, and a document stays quick to draw.
const CREDITS_LISTED = 100;

/** The items and the count of what is left out make it as quick for a million charges as for ten. */
export async function readInvoiceDetail(tx: Tx, invoice: Invoice): Promise<InvoiceDetail> {
  const { invoiceId } = invoice;
  const items = await tx.query(itemsOf, { invoiceId });
  const credits = await tx.query(creditsOf, { invoiceId, limit: CREDITS_LISTED });
  const [count] = await tx.query(countCredits, { invoiceId });
  assert(count !== undefined, 'a count has always a row');
  const payments = await tx.query(paymentsOf, { invoiceId });
  return { invoice, items, credits, creditCount: count.credits, payments };
}
