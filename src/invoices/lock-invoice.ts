// Locks an invoice by its number or id: with its partner's invoicing, so that none is issued, paid or voided at the same time.
import type { Tx } from '../platform/database/database.ts';
import { findInvoice } from './find-invoices.ts';
import type { Invoice } from './invoice.ts';
import { lockProgress } from './invoice.sql.ts';

/** As it is under the lock; null where no invoice is called so. */
export async function lockInvoice(tx: Tx, name: string, now: Date): Promise<Invoice | null> {
  const found = await findInvoice(tx, name, now);
  if (found === null) return null;
  await tx.query(lockProgress, { buyerKey: found.buyerKey });
  return findInvoice(tx, name, now);
}
