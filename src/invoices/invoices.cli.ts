// The commands `invoices run`, `list`, `show`, `pay` and `void` (contract 7.2).
import { writeFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { commandLineActor } from '../audit/audit-event.ts';
import { typeId } from '../base/ids.ts';
import { formatCents, parseCents } from '../base/money.ts';
import { positionOf, positionText, type TimePosition } from '../base/time-position.ts';
import { type CliContext, textArgument } from '../platform/cli.ts';
import { addPageOptions, type Cursor, type PageOptions, printPages } from '../platform/cli-pages.ts';
import { readSettings } from '../marketplace/stored-settings.ts';
import { brandOf } from '../marketplace/settings.ts';
import type { SentDocument } from './invoice-document.route.ts';
import { findInvoice, findInvoices, readInvoiceDetail } from './find-invoices.ts';
import { type InvoiceDocument, invoiceDocument } from './invoice-document.rules.ts';
import { invoiceHtml } from './invoice-html.ts';
import { invoicePdf } from './invoice-pdf.ts';
import { invoiceForm } from './invoice-view.rules.ts';
import { type Invoice, type InvoiceStatus, invoiceStatuses } from './invoice.ts';
import { payInvoice } from './pay-invoice.ts';
import { registerRunInvoices } from './run-invoices.cli.ts';
import { voidInvoice } from './void-invoice.ts';

const NOTE_LENGTH_MAX = 500;
const cursor: Cursor<Invoice, TimePosition> = {
  of: (invoice) => positionText(invoice.issuedAt, typeId('invoice', invoice.invoiceId)),
  read: (text) => positionOf(['invoice'], text),
};

type ListOptions = PageOptions<TimePosition> & { readonly partner?: string; readonly status?: InvoiceStatus };
type ShowOptions = { readonly html?: string; readonly pdf?: string };

export function registerInvoicesCommands(invoices: Command, context: CliContext): void {
  registerRunInvoices(invoices, context);
  const statuses = invoiceStatuses.filter((status) => status !== 'draft');
  addPageOptions(invoices.command('list'), { cursor, limit: 100 })
    .description('list invoices, newest first')
    .option('--partner <key>', 'only invoices of this partner')
    .addOption(new Option('--status <status>', 'only invoices in this status').choices(statuses))
    .action((options: ListOptions) => list(context, options));
  invoices
    .command('show <invoice>')
    .description('show an invoice by number or id, or write it to a file')
    .option('--html <file>', 'write HTML to this file')
    .option('--pdf <file>', 'write PDF to this file')
    .action((name: string, options: ShowOptions) => show(context, name, options));
  invoices
    .command('pay <invoice>')
    .description("post a payment for an invoice; without an amount, pay from the partner's available balance")
    .option('--amount <amount>', 'amount received, e.g. 100.00', paymentArgument)
    .action((name: string, options: { amount?: number }) => pay(context, name, options.amount ?? null));
  invoices
    .command('void <invoice>')
    .description('void an unpaid invoice; its charges and credits can be invoiced again')
    .requiredOption('--note <text>', 'reason, visible to the partner', textArgument(NOTE_LENGTH_MAX))
    .action((name: string, { note }: { note: string }) => voidOne(context, name, note));
}

function paymentArgument(text: string): number {
  const cents = parseCents(text);
  if (cents === null || cents === 0) throw new InvalidArgumentError('Enter an amount above 0, such as 100.00.');
  return cents;
}

async function list({ withDatabase, clock, out }: CliContext, options: ListOptions): Promise<void> {
  const { partner: buyerKey = null, status = null } = options;
  const now = clock.now();
  await withDatabase((database) =>
    printPages(out, options, {
      cursor,
      read: (page) => findInvoices(database, { buyerKey, status, ...page }, now),
      json: invoiceForm,
      columns: ['number', 'partner', 'month', 'status', 'total', 'due', 'issued', 'due at'],
      cells: (invoice) => [
        invoice.number,
        invoice.buyerKey,
        invoice.month,
        invoice.status,
        formatCents(invoice.totalCents),
        formatCents(invoice.amountDueCents),
        invoice.issuedAt.toISOString(),
        invoice.dueAt.toISOString(),
      ],
    }),
  );
}

async function show({ withDatabase, clock, out }: CliContext, name: string, options: ShowOptions): Promise<void> {
  const found = await withDatabase((database) =>
    database.tx(
      async (tx) => {
        const invoice = await findInvoice(tx, name, clock.now());
        if (invoice === null) return null;
        const { settings } = await readSettings(tx);
        return { detail: await readInvoiceDetail(tx, invoice), brand: brandOf(settings) };
      },
      { snapshot: true },
    ),
  );
  if (found === null) return out.refuse('invoice_not_found', `There is no invoice ${name}.`);
  const { detail, brand } = found;
  const document = invoiceDocument(detail);
  const error = await writeDocuments({ document, brand }, options);
  if (error !== null) return out.refuse('file_not_written', error);
  const written = [options.html, options.pdf].filter((file) => file !== undefined);
  out.print({
    json: invoiceForm(detail.invoice),
    text: written.length > 0 ? `Wrote ${written.join(' and ')}.` : documentText(document),
  });
}

/** Returns the error message if a file could not be written, else null. */
async function writeDocuments({ document, brand }: SentDocument, { html, pdf }: ShowOptions): Promise<string | null> {
  try {
    if (html !== undefined) await writeFile(html, invoiceHtml(document, brand));
    if (pdf !== undefined) await writeFile(pdf, await invoicePdf(document, brand));
    return null;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return error.message;
    throw error;
  }
}

function documentText({ title, stamp, facts, tables, totals, notes }: InvoiceDocument): string {
  return [
    `${title}${stamp === null ? '' : `  ${stamp}`}`,
    ...facts.map(({ label, value }) => `  ${label}: ${value}`),
    ...tables.flatMap(({ title: head, rows }) => ['', head, ...rows.map((row) => `  ${row.join('  ')}`)]),
    '',
    ...totals.map(({ label, amount }) => `${label}: ${amount}`),
    '',
    ...notes,
  ].join('\n');
}

async function pay({ withDatabase, clock, out }: CliContext, name: string, amountCents: number | null): Promise<void> {
  const input = { name, amountCents, actor: commandLineActor };
  const outcome = await withDatabase((database) => database.tx((tx) => payInvoice(tx, input, clock.now())));
  if (!outcome.ok) {
    const messages = {
      invoice_not_found: `There is no invoice ${name}.`,
      invoice_void: `${name} is void: no payment is due.`,
      invoice_paid: `${name} is already paid. To post another payment, use ledger post.`,
      balance_too_low: `The available balance of the partner is too low to pay ${name}. To post a payment, use --amount.`,
    } as const satisfies Record<typeof outcome.code, string>;
    return out.refuse(outcome.code, messages[outcome.code]);
  }
  print(out, outcome.value);
}

async function voidOne({ withDatabase, clock, out }: CliContext, name: string, note: string): Promise<void> {
  const input = { name, note, actor: commandLineActor };
  const outcome = await withDatabase((database) => database.tx((tx) => voidInvoice(tx, input, clock.now())));
  if (!outcome.ok) {
    const messages = {
      invoice_not_found: `There is no invoice ${name}.`,
      invoice_void: `${name} is already void.`,
      invoice_has_payments: `${name} has payments and cannot be voided. Correct it with a credit: ledger post --type credit.`,
      invoice_carried: `Credits of ${name} were carried over to a later invoice. Void that one first.`,
    } as const satisfies Record<typeof outcome.code, string>;
    return out.refuse(outcome.code, messages[outcome.code]);
  }
  print(out, outcome.value);
}

function print(out: CliContext['out'], invoice: Invoice): void {
  const due = invoice.status === 'void' ? '' : `, ${formatCents(invoice.amountDueCents)} due`;
  out.print({ json: invoiceForm(invoice), text: `${invoice.number} is ${invoice.status}${due}.` });
}
