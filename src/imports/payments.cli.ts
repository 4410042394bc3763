// The command `payments import`, which posts the payments of a bank's CSV file by the invoice numbers in its texts (contract 7.11).
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type Command, InvalidArgumentError, Option } from 'commander';

import { commandLineActor, noOrigin } from '../audit/audit-event.ts';
import { formatCents } from '../base/money.ts';
import type { CliContext } from '../platform/cli.ts';
import { bankRoles, type NamedColumns, readNamedColumns } from './bank-columns.rules.ts';
import { type DayOrder, dayOrders } from './bank-day.rules.ts';
import { importPayments, type PaymentRead } from './import-payments.job.ts';
import { type ImportInput, openInput } from './open-input.ts';
import {
  countsView,
  faultyLine,
  noPayments,
  type PaymentCounts,
  paymentLine,
  type PaymentLine,
  withFault,
  withPayment,
} from './payment-view.rules.ts';

export type PaymentsContext = CliContext & { readonly stdin: Readable };

type Options = { readonly dryRun: boolean; readonly columns?: NamedColumns; readonly dates?: DayOrder };

/** Lines that are printed together. */
const AT_ONCE = 200;

export function registerPaymentsCommands(payments: Command, context: PaymentsContext): void {
  payments
    .command('import')
    .description(
      'post the payments of a bank’s CSV file to the invoices whose numbers stand in its texts; each payment once, ' +
        'however often it is imported. Prints a line for each line of the file, and the counts.',
    )
    .argument('<file>', 'a CSV file with a header, in UTF-8, with commas, semicolons or tabs; - is standard input')
    .option('--dry-run', 'only show what would become of each line', false)
    .option(
      '--columns <roles>',
      `columns by role, such as date=Buchungstag,amount=Betrag,text=Zweck; the roles are ${bankRoles.join(', ')}, and - is for none`,
      columnsArgument,
    )
    .addOption(
      new Option('--dates <order>', 'the order in dates such as 03/04/2026, if no date of the file shows it').choices(
        dayOrders,
      ),
    )
    .action((path: string, options: Options) => run(context, path, options));
}

function columnsArgument(text: string): NamedColumns {
  const named = readNamedColumns(text);
  if (typeof named === 'string') throw new InvalidArgumentError(named);
  return named;
}

async function run(
  { withDatabase, clock, out, stdin }: PaymentsContext,
  path: string,
  options: Options,
): Promise<void> {
  const opened = await openInput(path, stdin);
  if (!opened.ok) return out.refuse('file_unreadable', `${path}: ${opened.message}`);
  const { dryRun, columns: named = {}, dates: dayOrder = null } = options;
  let counts = noPayments;
  let waiting: PaymentLine[] = [];
  const flush = async (): Promise<void> => {
    const lines = waiting;
    waiting = [];
    if (out.json) await out.printLines(lines);
    else await out.printText(lines.map(lineText));
  };
  await withDatabase(async (database) => {
    const open = await repeatable(opened.input);
    const author = { actor: commandLineActor, origin: noOrigin };
    for await (const read of importPayments({ database, clock, open, named, dayOrder, dryRun, ...author })) {
      counts = counted(counts, read);
      waiting.push(read.ok ? paymentLine(read.value) : faultyLine(read.faults));
      if (waiting.length < AT_ONCE) continue;
      await flush();
      out.progress(`${counts.lines} lines…`);
    }
    await flush();
  });
  const json = { end: true, dryRun, ...countsView(counts) };
  out.print({ json, text: summary(counts, dryRun) }, counts.faulty > 0 ? 1 : 0);
}

/** Standard input and pipes are read once, into memory. */
async function repeatable({ isRepeatable, open }: ImportInput): Promise<() => Readable> {
  if (isRepeatable) return open;
  const bytes = await buffer(open());
  return () => Readable.from([bytes]);
}

function counted(counts: PaymentCounts, read: PaymentRead): PaymentCounts {
  return read.ok ? withPayment(counts, read.value) : withFault(counts);
}

const FATES: Readonly<Record<PaymentLine['fate'], string>> = {
  paid: 'pays',
  differs: 'pays, but another amount was due on',
  known: 'is known already, for',
  similar: 'is not posted: its amount and day are those of a payment posted for',
  no_number: 'names no invoice',
  several_numbers: 'names several invoices; post it with "invoices pay"',
  no_such_invoice: 'names an invoice that does not exist:',
  invoice_void: 'names a void invoice:',
  invoice_paid: 'is not posted: nothing was due on',
  outgoing: 'is not money that came in',
  not_booked: 'is not booked: pending, reversed, returned or rejected',
  error: 'has errors:',
};

function lineText({ line, fate, amount, invoice, partner, due, text, errors }: PaymentLine): string {
  const words = [`${line}:`];
  if (amount !== null) words.push(amount.toFixed(2));
  words.push(FATES[fate], ...errors.map(({ column, message }) => `cell ${column} ${message};`));
  if (invoice !== null) words.push(`${invoice}${partner === null ? '' : ` of ${partner}`}`);
  if (fate === 'differs' && due !== null) words.push(`(${due.toFixed(2)} due)`);
  if (fate === 'no_number' || fate === 'several_numbers') words.push(`"${text.slice(0, 80)}"`);
  return words.join(' ');
}

function summary(counts: PaymentCounts, dryRun: boolean): string {
  const { lines, paid, differs, known, faulty, outgoing, postedCents } = counts;
  const left = lines - paid - differs - known - outgoing - faulty;
  const posted = `${paid + differs} ${dryRun ? 'would be posted' : 'posted'} (${formatCents(postedCents)})`;
  const parts = [posted, `${differs} of them with another amount than was due`, `${known} known already`];
  return `${lines} lines: ${[...parts, `${left} to look at`, `${outgoing} not incoming`, `${faulty} with errors`].join(', ')}.`;
}
