// Pays an invoice with a payment that a bank reports, each reported payment once (contract 7.11).
import type { AuditActor, AuditOrigin } from '../audit/audit-event.ts';
import { previewPostings } from '../ledger/post-by-hand.ts';
import type { Tx } from '../platform/database/database.ts';
import { findInvoice, lockInvoice } from './find-invoices.ts';
import type { Invoice } from './invoice.ts';
import { payInvoice, paymentPosting } from './pay-invoice.ts';

/**
 * `paid`: the amount due. `differs`: posted as well, less or more than was due; what is too much stays in the balance. `known`: posted by an
 * earlier import. The others are not posted.
 */
export type BankFate = 'paid' | 'differs' | 'known' | 'no_such_invoice' | 'invoice_void' | 'invoice_paid';

export type BankPayment = {
  /** Of the invoice. */
  readonly number: string;
  /** Above 0. */
  readonly amountCents: number;
  /** Names the payment in the bank's files. */
  readonly key: string;
  readonly actor: AuditActor;
  readonly origin?: AuditOrigin;
};

export type BankOutcome = {
  readonly fate: BankFate;
  readonly buyerKey: string | null;
  /** Before the payment. */
  readonly dueCents: number | null;
};

export async function payByBank(tx: Tx, payment: BankPayment, now: Date): Promise<BankOutcome> {
  const { number, amountCents, key, actor } = payment;
  const outcome = await decide(tx, payment, await lockInvoice(tx, number, now));
  if (outcome.fate !== 'paid' && outcome.fate !== 'differs') return outcome;
  const origin = payment.origin === undefined ? {} : { origin: payment.origin };
  const input = { name: number, amountCents, idempotencyKey: key, actor, ...origin };
  const paid = await payInvoice(tx, input, now);
  // The invoice is locked.
  if (!paid.ok) throw new Error(`${number} could not be paid: ${paid.code}`);
  return outcome;
}

/** What `payByBank` would do, without posting. `assumedCents` was paid for the invoice before, in a preview of the same file. */
export async function previewByBank(
  tx: Tx,
  payment: BankPayment & { readonly assumedCents: number },
  now: Date,
): Promise<BankOutcome> {
  const invoice = await findInvoice(tx, payment.number, now);
  const due = Math.max(0, (invoice?.amountDueCents ?? 0) - payment.assumedCents);
  return decide(tx, payment, invoice === null ? null : { ...invoice, amountDueCents: due });
}

async function decide(tx: Tx, payment: BankPayment, invoice: Invoice | null): Promise<BankOutcome> {
  if (invoice === null) return { fate: 'no_such_invoice', buyerKey: null, dueCents: null };
  const { buyerKey, amountDueCents: dueCents } = invoice;
  const { amountCents, key: idempotencyKey, actor } = payment;
  const [posted] = await previewPostings(tx, [paymentPosting(invoice, { amountCents, idempotencyKey, actor })]);
  const fate =
    posted?.ok !== true || !posted.value.isNew
      ? 'known'
      : invoice.status === 'void'
        ? 'invoice_void'
        : dueCents === 0
          ? 'invoice_paid'
          : dueCents === amountCents
            ? 'paid'
            : 'differs';
  return { fate, buyerKey, dueCents };
}
