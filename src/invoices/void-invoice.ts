// Voids an invoice: it keeps its number, and its charges and credits can be invoiced again (contract 7.2).
import { appendAudit } from '../audit/append-audit.ts';
import { type AuditActor, type AuditOrigin, noOrigin } from '../audit/audit-event.ts';
import { maskSecrets } from '../audit/secret-mask.rules.ts';
import { typeId } from '../base/ids.ts';
import { wireAmount } from '../base/money.ts';
import { done, type Outcome, refuse } from '../base/outcome.ts';
import type { Tx } from '../platform/database/database.ts';
import { findInvoice, lockInvoice } from './find-invoices.ts';
import type { Invoice } from './invoice.ts';
import { returnTax } from './post-tax.ts';
import { releaseCarried, reopenProgress, voidInvoiceSql } from './invoice.sql.ts';

export type VoidInput = {
  /** Number or id. */
  readonly name: string;
  /** The reason, visible to the partner. */
  readonly note: string;
  readonly actor: AuditActor;
  readonly origin?: AuditOrigin;
};

/**
 * Posts the tax back, and releases the part paid from the balance. Rejects an invoice with payments, because they refer to it forever: correct it with a credit.
 * Rejects an invoice with credits carried to another one: void that one first.
 */
export async function voidInvoice(
  tx: Tx,
  { name, note, actor, origin = noOrigin }: VoidInput,
  now: Date,
): Promise<Outcome<Invoice, 'invoice_not_found' | 'invoice_void' | 'invoice_has_payments' | 'invoice_carried'>> {
  const before = await lockInvoice(tx, name, now);
  if (before === null) return refuse('invoice_not_found');
  if (before.status === 'void') return refuse('invoice_void');
  if (before.paidCents > 0) return refuse('invoice_has_payments');
  if (before.carriedTo !== null) return refuse('invoice_carried');
  const masked = maskSecrets(note);
  await tx.query(voidInvoiceSql, { invoiceId: before.invoiceId, now, note: masked });
  await tx.query(releaseCarried, { buyerKey: before.buyerKey, invoiceId: before.invoiceId });
  await tx.query(reopenProgress, { buyerKey: before.buyerKey, invoiceId: before.invoiceId });
  await returnTax(tx, before, now);
  const changes = {
    status: { from: before.status, to: 'void' },
    amountDue: { from: wireAmount(before.amountDueCents), to: 0 },
    note: { from: null, to: masked },
  };
  const target = typeId('invoice', before.invoiceId);
  const { buyerKey } = before;
  await appendAudit(tx, [
    { at: now, actor, buyerKey, supplierKey: null, action: 'invoice.voided', target, changes, ...origin },
  ]);
  return done((await findInvoice(tx, target, now)) ?? before);
}
