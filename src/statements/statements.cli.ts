// The commands `statements run`, `list` and `show` (contract 7.2, 11.3).
import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { typeId } from '../base/ids.ts';
import { formatCents } from '../base/money.ts';
import { positionOf, positionText, type TimePosition } from '../base/time-position.ts';
import type { InvoiceDocument } from '../invoices/invoice-document.rules.ts';
import { invoiceHtml } from '../invoices/invoice-html.ts';
import { invoicePdf } from '../invoices/invoice-pdf.ts';
import type { Brand } from '../marketplace/brand.schema.ts';
import { brandOf } from '../marketplace/settings.ts';
import { readSettings } from '../marketplace/stored-settings.ts';
import type { CliContext } from '../platform/cli.ts';
import { addPageOptions, type Cursor, type PageOptions, printPages } from '../platform/cli-pages.ts';
import type { Tx } from '../platform/database/database.ts';
import { findStatement, findStatements, readStatementDetail } from './find-statements.ts';
import { statementCsv } from './read-statement-lines.ts';
import { monthArgument, registerRunStatements } from './run-statements.cli.ts';
import { statementDocument } from './statement-document.rules.ts';
import { detailView, statementForm } from './statement-view.rules.ts';
import type { StatementDetail, SupplierStatement } from './statement.ts';

const cursor: Cursor<SupplierStatement, TimePosition> = {
  of: ({ issuedAt, statementId }) => positionText(issuedAt, typeId('statement', statementId)),
  read: (text) => positionOf(['statement'], text),
};

type ListOptions = PageOptions<TimePosition> & { readonly supplier?: string; readonly month?: string };
type ShowOptions = { readonly html?: string; readonly pdf?: string; readonly csv?: string };

export function registerStatementsCommands(statements: Command, context: CliContext): void {
  registerRunStatements(statements, context);
  addPageOptions(statements.command('list'), { cursor, limit: 100 })
    .description('list statements, newest first')
    .option('--supplier <key>', 'only statements of this supplier')
    .option('--month <YYYY-MM>', 'only statements of this month', monthArgument)
    .action((options: ListOptions) => list(context, options));
  statements
    .command('show <statement>')
    .description('show a statement by number or id, or write it to a file')
    .option('--html <file>', 'write HTML to this file')
    .option('--pdf <file>', 'write PDF to this file')
    .option('--csv <file>', 'write a line per lead to this file')
    .action((name: string, options: ShowOptions) => show(context, name, options));
}

async function list({ withDatabase, out }: CliContext, options: ListOptions): Promise<void> {
  const { supplier: supplierKey = null, month = null } = options;
  await withDatabase((database) =>
    printPages(out, options, {
      cursor,
      read: (page) => findStatements(database, { supplierKey, month, ...page }),
      json: statementForm,
      columns: ['number', 'supplier', 'month', 'leads', 'earned', 'clawed back', 'paid out', 'total', 'held', 'issued'],
      cells: (statement) => [
        statement.number,
        statement.supplierKey,
        statement.month,
        String(statement.leads),
        formatCents(statement.earnedCents),
        formatCents(statement.clawedBackCents),
        formatCents(statement.paidOutCents),
        formatCents(statement.totalCents),
        formatCents(statement.heldCents),
        statement.issuedAt.toISOString(),
      ],
    }),
  );
}

async function show({ withDatabase, out }: CliContext, name: string, options: ShowOptions): Promise<void> {
  await withDatabase((database) =>
    database.tx(
      async (tx) => {
        const statement = await findStatement(tx, name);
        if (statement === null) return out.refuse('statement_not_found', `There is no statement ${name}.`);
        const detail = await readStatementDetail(tx, statement);
        const document = statementDocument(detail);
        const error = await writeDocuments(tx, {
          detail,
          document,
          brand: brandOf((await readSettings(tx)).settings),
          options,
        });
        if (error !== null) return out.refuse('file_not_written', error);
        const written = [options.html, options.pdf, options.csv].filter((file) => file !== undefined);
        const { statementId, number, ...rest } = detailView(detail);
        out.print({
          json: { statementId, number, supplier: statement.supplierKey, ...rest },
          text: written.length > 0 ? `Wrote ${written.join(' and ')}.` : documentText(document),
        });
      },
      { snapshot: true },
    ),
  );
}

type Documents = {
  readonly detail: StatementDetail;
  readonly document: InvoiceDocument;
  readonly brand: Brand;
  readonly options: ShowOptions;
};

/** Returns the error message if a file could not be written, else null. */
async function writeDocuments(tx: Tx, { detail, document, brand, options }: Documents): Promise<string | null> {
  const { html, pdf, csv } = options;
  try {
    if (html !== undefined) await writeFile(html, invoiceHtml(document, brand));
    if (pdf !== undefined) await writeFile(pdf, await invoicePdf(document, brand));
    if (csv !== undefined) await pipeline(statementCsv(tx, detail.statement), createWriteStream(csv));
    return null;
  } catch (error) {
    if (error instanceof Error && 'code' in error && 'path' in error) return error.message;
    throw error;
  }
}

function documentText({ title, facts, tables, totals, notes }: InvoiceDocument): string {
  return [
    title,
    ...facts.map(({ label, value }) => `  ${label}: ${value}`),
    ...tables.flatMap(({ title: head, rows }) => ['', head, ...rows.map((row) => `  ${row.join('  ')}`)]),
    '',
    ...totals.map(({ label, amount }) => `${label}: ${amount}`),
    '',
    ...notes,
  ].join('\n');
}
