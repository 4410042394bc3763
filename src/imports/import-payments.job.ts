// Imports payments from a bank's CSV file: finds the invoice that each line names, and posts each payment once (contract 7.11).
import type { Readable } from 'node:stream';

import type { AuditAuthor } from '../audit/audit-event.ts';
import type { FileFault } from '../marketplace-file/marketplace-file.ts';
import { readSettings } from '../marketplace/stored-settings.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { type Rest, withoutRest } from '../platform/time-slices.ts';
import { repeatTransient } from '../platform/database/retry-transaction.ts';
import {
  type BankFate,
  type BankOutcome,
  type BankPayment,
  payByBank,
  previewByBank,
} from '../invoices/pay-by-bank.ts';
import type { NamedColumns } from './bank-columns.rules.ts';
import type { DayOrder } from './bank-day.rules.ts';
import { bankKey, type BankLine, earlierBankKey, earlierIdentities, invoiceNumbersIn } from './bank-line.rules.ts';
import { type BankCsv, readBankCsv, readBankLayout } from './read-bank-csv.ts';

/**
 * `outgoing`: not money that came in. `not_booked`: pending, or reversed, returned or rejected. `no_number`, `several_numbers`: of invoices, in
 * the text. None of them is posted.
 */
export type PaymentFate = BankFate | 'outgoing' | 'not_booked' | 'no_number' | 'several_numbers';

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
  /** Returns the file from its beginning; called several times. */
  readonly open: () => Readable;
  readonly named: NamedColumns;
  /** What comes first in dates such as 03/04/2026; null: as other dates of the file show it. */
  readonly dayOrder: DayOrder | null;
  readonly dryRun: boolean;
  /** Between lines; a command needs none. */
  readonly rest?: Rest;
};

export type PaymentRead =
  | { readonly ok: true; readonly value: ImportedPayment }
  | { readonly ok: false; readonly faults: readonly FileFault[] };

/**
 * Yields every line of the file with what became of it. A transaction per payment: after an interruption the same file is imported again, and
 * what was posted is known. Lines with errors are left out. Memory grows with the payments that name an invoice, some 100 bytes each.
 */
export async function* importPayments(run: PaymentsRun): AsyncGenerator<PaymentRead> {
  const { database, open, named, dayOrder, rest = withoutRest } = run;
  const { currency } = (await database.tx(readSettings)).settings;
  const file: BankCsv = { open, named, dayOrder, currency, rest };
  const layout = await readBankLayout(file);
  const keysOf = keysInOrder();
  const inFile = new Set<string>();
  const keysAgain = keysInOrder();
  for await (const read of readBankCsv(file, layout)) {
    if (read.ok && invoiceOf(read.value).fate === null) for (const key of keysAgain(read.value).all) inFile.add(key);
  }
  const assumed = new Map<string, number>();
  for await (const read of readBankCsv(file, layout)) {
    if (!read.ok) {
      yield read;
      continue;
    }
    const line = read.value;
    const { number, fate } = invoiceOf(line);
    const base = { ...line, invoice: number, buyerKey: null, dueCents: null };
    if (fate !== null || number === null) {
      yield { ok: true, value: { ...base, fate: fate ?? 'no_number' } };
      continue;
    }
    const { key, all } = keysOf(line);
    const payment = { number, amountCents: line.amountCents, day: line.day, key, keys: all, inFile };
    const outcome = await (run.dryRun ? preview(run, payment, assumed) : post(run, payment));
    yield { ok: true, value: { ...base, ...outcome } };
  }
}

/** `fate`: null for a payment that is for this one invoice. */
function invoiceOf(line: BankLine): {
  readonly number: string | null;
  readonly fate: Exclude<PaymentFate, BankFate> | null;
} {
  if (line.amountCents <= 0) return { number: null, fate: 'outgoing' };
  const [number = null, ...others] = invoiceNumbersIn(line.text);
  if (!line.isBooked) return { number, fate: 'not_booked' };
  if (number === null) return { number, fate: 'no_number' };
  return others.length > 0 ? { number: null, fate: 'several_numbers' } : { number, fate: null };
}

type Keys = { readonly key: string; readonly all: readonly string[] };

/** To be called for all payments of a file, from the first line on: equal ones are counted. `all` are those under which it may be posted. */
function keysInOrder(): (line: BankLine) => Keys {
  const seen = new Map<string, number>();
  const next = (identity: string): number => {
    const count = (seen.get(identity) ?? 0) + 1;
    seen.set(identity, count);
    return count;
  };
  return (line) => {
    const count = next(line.identity);
    const key = bankKey(line, count);
    const { written, others } = earlierIdentities(line);
    const earlier = earlierBankKey(written, next(written));
    return { key, all: [key, earlier, ...others.map((other) => earlierBankKey(other, count))] };
  };
}

type Payment = Pick<BankPayment, 'number' | 'amountCents' | 'day' | 'key' | 'keys' | 'inFile'>;

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
