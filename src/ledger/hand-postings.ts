// Finds postings that were made by hand or imported: by their idempotency keys, or payments of an invoice by their amount (contract 7.11).
import type { InvoiceId } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import { selectByBusinessKeys, selectPaymentsOfInvoice } from './ledger.sql.ts';
import { handKey } from './post-by-hand.ts';

/** Those of the keys that are posted. */
export async function postedKeys(tx: Tx, idempotencyKeys: readonly string[]): Promise<ReadonlySet<string>> {
  const businessKeys = idempotencyKeys.map((key) => handKey(key));
  const found = await tx.query(selectByBusinessKeys, { businessKeys });
  return new Set(found.map(({ businessKey }) => idempotencyKeyOf(businessKey)));
}

export type PostedPayment = { readonly idempotencyKey: string; readonly createdAt: Date };

/** `amountCents` above 0. */
export async function findPayments(
  tx: Tx,
  query: { readonly invoiceId: InvoiceId; readonly amountCents: number },
): Promise<PostedPayment[]> {
  const found = await tx.query(selectPaymentsOfInvoice, query);
  return found.map(({ businessKey, createdAt }) => ({ idempotencyKey: idempotencyKeyOf(businessKey), createdAt }));
}

function idempotencyKeyOf(businessKey: string): string {
  return businessKey.slice(handKey('').length);
}
