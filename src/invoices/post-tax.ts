// Posts the tax of an invoice to the ledger when it is issued, and back when it becomes void (contract 6.19).
import { postTransfers } from '../ledger/post-transfers.ts';
import type { Tx } from '../platform/database/database.ts';
import type { Invoice } from './invoice.ts';

type Taxed = Pick<Invoice, 'invoiceId' | 'buyerKey' | 'number' | 'taxCents'>;

/** With it the partner's balance is what its invoices say in total. Nothing without tax. */
export async function postTax(tx: Tx, { invoiceId, buyerKey, number, taxCents }: Taxed, now: Date): Promise<void> {
  if (taxCents === 0) return;
  const businessKey = `tax:${invoiceId}`;
  const description = `Tax on ${number}`;
  await postTransfers(tx, [{ businessKey, type: 'tax', buyerKey, amountCents: taxCents, description, invoiceId }], now);
}

export async function returnTax(tx: Tx, { invoiceId, buyerKey, number, taxCents }: Taxed, now: Date): Promise<void> {
  if (taxCents === 0) return;
  const businessKey = `tax-void:${invoiceId}`;
  const description = `Return of tax on ${number}`;
  const transfer = { businessKey, type: 'tax', buyerKey, amountCents: -taxCents, description, invoiceId } as const;
  await postTransfers(tx, [transfer], now);
}
