// Imports payments from a bank's CSV file: finds the invoice that each line names, and posts each payment once (contract 7.11).
import type { Readable } from 'node:stream';

import type { AuditAuthor } from '../audit/audit-event.ts';
import type { FileFault } from '../marketplace-file/marketplace-file.ts';
import { readSettings } from '../marketplace/stored-settings.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { repeatTransient } from '../platform/database/retry-transaction.ts';
import { type BankFate, type BankOutcome, payByBank, previewByBank } from '../invoices/pay-by-bank.ts';
import type { NamedColumns } from './bank-columns.rules.ts';
import { bankKey, type BankLine, invoiceNumbersIn } from './bank-line.rules.ts';
import { readBankCsv } from './read-bank-csv.ts';

/** `outgoing`: not money that came in. `no_number`, `several_numbers`: of invoices, in the text. None of the three is posted. */
export type PaymentFate = BankFate | 'outgoing' | 'no_number' | 'several_numbers';

export type ImportedPayment = BankLine & {
  readonly fate: PaymentFate;
  /** The number of the invoice that the text names. */
  readonly invoice: string | null;
  readonly buyerKey: string | null;
  /** What was due on the invoice before the payment. */
  readonly dueCents: number | null;
};

export type PaymentsRun = AuditAuthor & {
  readonly database: Database;
  readonly clock: Clock;
  readonly source: Readable;
  readonly named: NamedColumns;
  readonly dryRun: boolean;
};

export type PaymentRead =
  | { readonly ok: true; readonly value: ImportedPayment }
  | { readonly ok: false; readonly faults: readonly FileFault[] };

/**
 * Yields every line of the file with what became of it. A transaction per payment: after an interruption the same file is imported again, and
 * what was posted is known. Lines with errors are left out. Memory grows with the payments that name an invoice, some 100 bytes each.
 */
export async function* importPayments(run: PaymentsRun): AsyncGenerator<PaymentRead> {
  const { database, source, named } = run;
  const { currency } = (await database.tx(readSettings)).settings;
  const seen = new Map<string, number>();
  const assumed = new Map<string, number>();
  for await (const read of readBankCsv(source, { named, currency })) {
    if (!read.ok) {
      yield read;
      continue;
    }
    const line = read.value;
    const [number, ...others] = line.amountCents > 0 ? invoiceNumbersIn(line.text) : [];
    const rest = { ...line, invoice: number ?? null, buyerKey: null, dueCents: null };
    if (line.amountCents <= 0) yield { ok: true, value: { ...rest, fate: 'outgoing' } };
    else if (number === undefined) yield { ok: true, value: { ...rest, fate: 'no_number' } };
    else if (others.length > 0) yield { ok: true, value: { ...rest, invoice: null, fate: 'several_numbers' } };
    else {
      const count = (seen.get(line.identity) ?? 0) + 1;
      seen.set(line.identity, count);
      const payment = { number, amountCents: line.amountCents, key: bankKey(line.identity, count) };
      const outcome = await (run.dryRun ? preview(run, payment, assumed) : post(run, payment));
      yield { ok: true, value: { ...rest, ...outcome } };
    }
  }
}

type Payment = { readonly number: string; readonly amountCents: number; readonly key: string };

function post({ database, clock, actor, origin }: PaymentsRun, payment: Payment): Promise<BankOutcome> {
  return repeatTransient(() => database.tx((tx) => payByBank(tx, { ...payment, actor, origin }, clock.now())));
}

/** `assumed` are the payments of this file so far, by number of the invoice. */
async function preview(
  { database, clock, actor }: PaymentsRun,
  payment: Payment,
  assumed: Map<string, number>,
): Promise<BankOutcome> {
  const { number, amountCents } = payment;
  const assumedCents = assumed.get(number) ?? 0;
  const input = { ...payment, actor, assumedCents };
  const outcome = await database.tx((tx) => previewByBank(tx, input, clock.now()), { snapshot: true });
  if (outcome.fate === 'paid' || outcome.fate === 'differs') assumed.set(number, assumedCents + amountCents);
  return outcome;
}
