// Shows imported payments: each line with what became of it, and the counts (contract 7.11).
import { wireAmount } from '../base/money.ts';
import type { FileFault } from '../marketplace-file/marketplace-file.ts';
import type { ImportedPayment, PaymentFate } from './import-payments.job.ts';

export type PaymentCounts = { readonly [Fate in PaymentFate]: number } & {
  readonly lines: number;
  /** Lines with an error, which were left out. */
  readonly faulty: number;
  /** Posted, or in a preview to be posted. */
  readonly postedCents: number;
};

export const noPayments: PaymentCounts = {
  ...{ lines: 0, faulty: 0, postedCents: 0 },
  ...{ paid: 0, differs: 0, known: 0, similar: 0, outgoing: 0, not_booked: 0, no_number: 0, several_numbers: 0 },
  ...{ no_such_invoice: 0, invoice_void: 0, invoice_paid: 0 },
};

export function withPayment(counts: PaymentCounts, { fate, amountCents }: ImportedPayment): PaymentCounts {
  const isPosted = fate === 'paid' || fate === 'differs';
  const postedCents = counts.postedCents + (isPosted ? amountCents : 0);
  return { ...counts, lines: counts.lines + 1, [fate]: counts[fate] + 1, postedCents };
}

export function withFault(counts: PaymentCounts): PaymentCounts {
  return { ...counts, lines: counts.lines + 1, faulty: counts.faulty + 1 };
}

export type PaymentLine = {
  readonly line: number;
  readonly fate: PaymentFate | 'error';
  readonly date: string;
  readonly amount: number | null;
  readonly text: string;
  readonly name: string;
  readonly invoice: string | null;
  readonly partner: string | null;
  readonly due: number | null;
  /** Of a line with the fate `error`. */
  readonly errors: ReadonlyArray<{ readonly column: number; readonly message: string }>;
};

export function paymentLine(payment: ImportedPayment): PaymentLine {
  const { line, fate, date, amountCents, text, name, invoice, buyerKey, dueCents } = payment;
  const due = dueCents === null ? null : wireAmount(dueCents);
  return { line, fate, date, amount: wireAmount(amountCents), text, name, invoice, partner: buyerKey, due, errors: [] };
}

export function faultyLine(faults: readonly FileFault[]): PaymentLine {
  const errors = faults.map(({ column, message }) => ({ column, message }));
  const unread = { date: '', amount: null, text: '', name: '', invoice: null, partner: null, due: null };
  return { line: faults[0]?.line ?? 1, fate: 'error', ...unread, errors };
}

export function countsView({ postedCents, ...counts }: PaymentCounts) {
  return { ...counts, posted: wireAmount(postedCents) };
}
