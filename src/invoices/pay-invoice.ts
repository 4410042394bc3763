// Pays an invoice by posting a payment, or from the available balance of the partner (contract 7.2).
import { strict as assert } from 'node:assert';
import { appendAudit } from '../audit/append-audit.ts';
import { type AuditActor, type AuditOrigin, noOrigin } from '../audit/audit-event.ts';
import { typeId } from '../base/ids.ts';
import { wireAmount } from '../base/money.ts';
import { done, type Outcome, refuse } from '../base/outcome.ts';
import { type HandPosting, postByHand } from '../ledger/post-by-hand.ts';
import type { Tx } from '../platform/database/database.ts';
import { findInvoice, lockInvoice } from './find-invoices.ts';
import type { Invoice } from './invoice.ts';
import { applyMoney } from './invoice-money.sql.ts';
import { readBalance } from './accounts.ts';
import { freeCents } from './settlement.rules.ts';

export type PaymentInput = {
  /** Number or id. */
  readonly name: string;
  /** Above 0: posts a payment; an excess stays in the balance. Null: pays from the available balance. */
  readonly amountCents: number | null;
  /** The payment is posted once for a key. */
  readonly idempotencyKey?: string;
  readonly actor: AuditActor;
  readonly origin?: AuditOrigin;
};

type PaymentError = 'invoice_not_found' | 'invoice_void' | 'invoice_paid' | 'balance_too_low';

/** Returns the updated invoice, with status `paid` if nothing is due. */
export async function payInvoice(tx: Tx, input: PaymentInput, now: Date): Promise<Outcome<Invoice, PaymentError>> {
  const { name, amountCents } = input;
  const before = await lockInvoice(tx, name, now);
  if (before === null) return refuse('invoice_not_found');
  if (before.status === 'void') return refuse('invoice_void');
  if (before.amountDueCents === 0) return refuse('invoice_paid');
  const { invoiceId, amountDueCents } = before;
  if (amountCents === null) {
    const free = freeCents(await readBalance(tx, before.buyerKey));
    if (free <= 0) return refuse('balance_too_low');
    await tx.query(applyMoney, { invoiceId, paidCents: 0, fromBalanceCents: Math.min(free, amountDueCents), now });
  } else {
    await postPayment(tx, { invoice: before, amountCents, input }, now);
    await tx.query(applyMoney, {
      invoiceId,
      paidCents: Math.min(amountCents, amountDueCents),
      fromBalanceCents: 0,
      now,
    });
  }
  const after = await findInvoice(tx, typeId('invoice', invoiceId), now);
  assert(after !== null, 'a paid invoice cannot be read back');
  await record(tx, { before, after, input }, now);
  return done(after);
}

type Payment = { readonly invoice: Invoice; readonly amountCents: number; readonly input: PaymentInput };

async function postPayment(tx: Tx, { invoice, amountCents, input }: Payment, now: Date): Promise<void> {
  const { idempotencyKey = null, actor, origin = noOrigin } = input;
  const posting = paymentPosting(invoice, { amountCents, idempotencyKey, actor });
  const posted = await postByHand(tx, { ...posting, origin }, now);
  assert(posted.ok, 'an invoiced partner has no account');
}

function paymentPosting(
  { buyerKey, invoiceId, number }: Invoice,
  payment: Pick<HandPosting, 'amountCents' | 'idempotencyKey' | 'actor'>,
): HandPosting {
  return { ...payment, buyerKey, type: 'payment', description: `Payment of ${number}`, invoiceId };
}

type Record = { readonly before: Invoice; readonly after: Invoice; readonly input: PaymentInput };

async function record(tx: Tx, { before, after, input }: Record, now: Date): Promise<void> {
  const changes = {
    amountDue: { from: wireAmount(before.amountDueCents), to: wireAmount(after.amountDueCents) },
    ...(before.status === after.status ? {} : { status: { from: before.status, to: after.status } }),
  };
  const target = typeId('invoice', after.invoiceId);
  const { buyerKey } = after;
  const { actor, origin = noOrigin } = input;
  await appendAudit(tx, [
    { at: now, actor, buyerKey, supplierKey: null, action: 'invoice.paid', target, changes, ...origin },
  ]);
}
