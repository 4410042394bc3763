// Pays an invoice with a payment that a bank reports, each reported payment once (contract 7.11).
import type { AuditActor, AuditOrigin } from '../audit/audit-event.ts';
import { findPayments, postedKeys } from '../ledger/hand-postings.ts';
import type { Tx } from '../platform/database/database.ts';
import { findInvoice, lockInvoice } from './find-invoices.ts';
import type { Invoice } from './invoice.ts';
import { payInvoice } from './pay-invoice.ts';

/**
 * `paid`: the amount due. `differs`: posted as well, less or more than was due; what is too much stays in the balance. `known`: posted by an
 * earlier import. `similar`: the invoice has a payment of this amount that may be the same one. The others are not posted either.
 */
export type BankFate = 'paid' | 'differs' | 'known' | 'similar' | 'no_such_invoice' | 'invoice_void' | 'invoice_paid';

export type BankPayment = {
  /** Of the invoice. */
  readonly number: string;
  /** Above 0. */
  readonly amountCents: number;
  /** As in 2026-11-30. */
  readonly day: string;
  /** Names the payment in the bank's files. */
  readonly key: string;
  /** All under which an earlier import may have posted it. */
  readonly keys: readonly string[];
  /** The keys of all payments in the file: they are other payments. */
  readonly inFile: ReadonlySet<string>;
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
  const { amountCents, keys } = payment;
  const fate =
    (await postedKeys(tx, keys)).size > 0
      ? 'known'
      : invoice.status === 'void'
        ? 'invoice_void'
        : dueCents === 0
          ? 'invoice_paid'
          : (await hasSimilar(tx, payment, invoice))
            ? 'similar'
            : dueCents === amountCents
              ? 'paid'
              : 'differs';
  return { fate, buyerKey, dueCents };
}

const DAY_MS = 24 * 3600 * 1000;

/** Whether a payment of this invoice, amount and day is posted that no line of the file stands for. */
async function hasSimilar(tx: Tx, { day, amountCents, inFile }: BankPayment, { invoiceId }: Invoice): Promise<boolean> {
  const posted = await findPayments(tx, { invoiceId, amountCents });
  return posted.some(({ idempotencyKey, createdAt }) => {
    if (inFile.has(idempotencyKey)) return false;
    const postedDay = /^bank:(\d{4}-\d{2}-\d{2}):/.exec(idempotencyKey)?.[1];
    if (postedDay !== undefined) return postedDay === day;
    // Of a payment that was typed in, or imported when no day was kept, only the day of the posting is known; in some time zone it is the next one.
    return Date.parse(day) <= createdAt.getTime() + DAY_MS;
  });
}
