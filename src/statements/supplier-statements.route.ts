// GET /api/v1/supplier/earnings, /statements, /statements/:statementId, .pdf and .csv: a supplier's own money (contract 11.4).
import { Type } from 'typebox';

import { uuidOf } from '../base/ids.ts';
import { wireAmount } from '../base/money.ts';
import type { ExportSlots } from '../deliveries/export/export-slots.ts';
import { invoicePdf } from '../invoices/invoice-pdf.ts';
import type { Brand } from '../marketplace/brand.schema.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { pageLinks, pageMembers } from '../platform/http/page-links.ts';
import { csvFileQuery } from '../platform/http/csv-file.schema.ts';
import { documentedProblems } from '../platform/http/problem-schema.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { NOT_FOUND } from '../platform/http/request-fault.ts';
import { principalOf } from '../platform/http/scope.ts';
import type { SupplierConfig } from '../suppliers/supplier.ts';
import type { EarningSums } from './earnings.sql.ts';
import { listStatements, readStatement, readStatementDetail } from './find-statements.ts';
import { type Earnings, readEarnings } from './read-earnings.ts';
import { sendStatementCsv } from './send-statement-csv.route.ts';
import { statementDocument } from './statement-document.rules.ts';
import { detailView, payoutView, statementView } from './statement-view.rules.ts';
import { statementCsvHeader } from './statement-csv.rules.ts';
import { type StatementDetail, statementOrders } from './statement.ts';
import {
  EarningsSchema,
  PayoutSchema,
  StatementDetailSchema,
  StatementSchema,
  StatementsSchema,
} from './statements.schema.ts';

export type SupplierStatementsDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  /** Shared by all routes that export. */
  readonly slots: ExportSlots;
  readonly currency: () => string;
  readonly brand: () => Brand;
  readonly supplierOf: (supplierKey: string) => Pick<SupplierConfig, 'supplierKey' | 'timeZone'>;
};

const EarningsQuery = Type.Object({
  days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 365,
      default: 30,
      description: 'The number of days of your time zone, including today.',
    }),
  ),
});
const PageQuery = Type.Object({
  sort: Type.Optional(
    Type.Enum([...statementOrders], {
      default: '-issued',
      description: 'By time of issue or an amount; `-` begins with the latest or highest.',
    }),
  ),
  page: Type.Optional(Type.Integer({ minimum: 1, default: 1, description: 'A page past the end is empty.' })),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25, description: 'Statements per page.' })),
});
// The format is not validated: a malformed id is an unknown one (contract 1.8).
const Params = Type.Object({
  statementId: Type.String({ description: 'The id of a statement.', examples: ['stm_01m98xr6b2f4atk1q5p8dv3n7c'] }),
});

/** For suppliers in every status, like their statistics. */
export function registerSupplierStatements(scope: App, dependencies: SupplierStatementsDependencies): void {
  for (const schema of [PayoutSchema, EarningsSchema, StatementSchema, StatementDetailSchema, StatementsSchema]) {
    scope.addSchema(schema);
  }
  registerEarnings(scope, dependencies);
  registerList(scope, dependencies);
  registerOne(scope, dependencies);
  registerPdf(scope, dependencies);
  registerCsv(scope, dependencies);
}

function registerEarnings(scope: App, { database, clock, currency, supplierOf }: SupplierStatementsDependencies): void {
  scope.get(
    '/api/v1/supplier/earnings',
    {
      schema: {
        operationId: 'getEarnings',
        summary: 'Read your earnings',
        description: 'Your balance, what of it is held or payable, your earnings by day, and the latest payouts.',
        tags: ['Supplier'],
        querystring: EarningsQuery,
        response: { 200: Type.Ref('Earnings') },
      },
    },
    async (request, reply) => {
      const { days = 30 } = request.query;
      const supplier = supplierOf(principalOf(request).ownerKey);
      const earnings = await database.tx((tx) => readEarnings(tx, supplier, { days }, clock.now()), { snapshot: true });
      const { supplierKey, timeZone } = supplier;
      return reply.send({ supplierKey, currency: currency(), timeZone, days, ...earningsView(earnings) });
    },
  );
}

function registerList(scope: App, { database }: SupplierStatementsDependencies): void {
  scope.get(
    '/api/v1/supplier/statements',
    {
      config: { responseHeaders: ['Link'] },
      schema: {
        operationId: 'listStatements',
        summary: 'List your statements',
        description: 'Newest first, or as `sort` says. `Link` leads to the first, previous, next and last page.',
        tags: ['Supplier'],
        querystring: PageQuery,
        response: { 200: Type.Ref('Statements') },
      },
    },
    async (request, reply) => {
      const { sort: order = '-issued', page = 1, pageSize = 25 } = request.query;
      const query = {
        supplierKey: principalOf(request).ownerKey,
        month: null,
        order,
        page,
        pageSize,
      };
      const { total, statements } = await database.tx((tx) => listStatements(tx, query), { snapshot: true });
      const members = pageMembers({ page, pageSize, total });
      reply.header('link', pageLinks(request.url, members));
      return reply.send({ ...members, data: statements.map(statementView) });
    },
  );
}

function registerOne(scope: App, { database }: SupplierStatementsDependencies): void {
  scope.get(
    '/api/v1/supplier/statements/:statementId',
    {
      schema: {
        operationId: 'getStatement',
        summary: 'Read a statement',
        description: 'One of your statements with its sums by day and its payouts.',
        tags: ['Supplier'],
        params: Params,
        response: { 200: Type.Ref('StatementDetail'), ...documentedProblems('not_found') },
      },
    },
    async (request, reply) => {
      const detail = await readOwn(database, principalOf(request).ownerKey, request.params.statementId);
      if (detail === null) return sendProblem(request, reply, NOT_FOUND);
      return reply.send(detailView(detail));
    },
  );
}

function registerPdf(scope: App, { database, brand }: SupplierStatementsDependencies): void {
  scope.get(
    '/api/v1/supplier/statements/:statementId.pdf',
    {
      config: { responseHeaders: ['Content-Disposition'] },
      schema: {
        operationId: 'getStatementPdf',
        summary: 'Read a statement as PDF',
        description: 'The document of a statement.',
        tags: ['Supplier'],
        params: Params,
        response: {
          200: {
            description: 'The document.',
            content: { 'application/pdf': { schema: Type.String({ contentMediaType: 'application/pdf' }) } },
          },
          ...documentedProblems('not_found'),
        },
      },
    },
    async (request, reply) => {
      const detail = await readOwn(database, principalOf(request).ownerKey, request.params.statementId);
      if (detail === null) return sendProblem(request, reply, NOT_FOUND);
      const bytes = await invoicePdf(statementDocument(detail), brand());
      reply.header('content-disposition', `inline; filename="${detail.statement.number}.pdf"`);
      // The schema has no type for bytes.
      return reply.header('content-type', 'application/pdf').send(bytes as never);
    },
  );
}

function registerCsv(scope: App, { database, slots }: SupplierStatementsDependencies): void {
  scope.get(
    '/api/v1/supplier/statements/:statementId.csv',
    {
      config: { responseHeaders: ['Content-Disposition'] },
      schema: {
        operationId: 'getStatementCsv',
        summary: 'Read the lines of a statement as CSV',
        description:
          'One line per lead, claw-back, payout and adjustment, in the order of the ledger. Request gzip with `Accept-Encoding`. An aborted transfer is incomplete. One large file at a time per supplier: a second one gets 429.',
        tags: ['Supplier'],
        params: Params,
        querystring: Type.Object(csvFileQuery),
        response: {
          200: { description: 'The file.', content: { 'text/csv': { schema: CsvSchema } } },
          ...documentedProblems('not_found'),
        },
      },
    },
    async (request, reply) => {
      const { ownerKey } = principalOf(request);
      const statementId = uuidOf('statement', request.params.statementId);
      await sendStatementCsv(request, reply, {
        database,
        slots,
        find: async (tx) => (statementId === null ? null : readStatement(tx, ownerKey, statementId)),
      });
      return reply as never;
    },
  );
}

const CsvSchema = Type.String({
  description:
    "RFC 4180 in UTF-8: a line of column names, then one line for each entry, all ending with CRLF; without a byte order mark. `kind` is `earned`, `clawed_back`, `paid_out` or `adjusted`; `amount` is negative for what is taken back or paid out; `reference` is that of a payout or the text of an adjustment. Text that a spreadsheet would run as a formula is preceded by `'`.",
  examples: [
    `${statementCsvHeader}A-1001,lead_01m7xnp2vpe9rtj82p033hep4t,2026-10-05T16:00:00.000Z,earned,12.00,\r\n,,2026-10-05T16:00:00.000Z,paid_out,-100.00,SEPA 2026-10-05\r\n`,
  ],
});

async function readOwn(database: Database, supplierKey: string, text: string): Promise<StatementDetail | null> {
  const statementId = uuidOf('statement', text);
  if (statementId === null) return null;
  const read = async (tx: Tx): Promise<StatementDetail | null> => {
    const statement = await readStatement(tx, supplierKey, statementId);
    return statement === null ? null : readStatementDetail(tx, statement);
  };
  return database.tx(read, { snapshot: true });
}

function earningsView({ balanceCents, heldCents, payableCents, days, totals, payouts }: Earnings) {
  return {
    from: days[0]?.date ?? '',
    to: days.at(-1)?.date ?? '',
    balance: wireAmount(balanceCents),
    held: wireAmount(heldCents),
    payable: wireAmount(payableCents),
    totals: sumsView(totals),
    byDay: days.map(({ date, ...sums }) => ({ date, ...sumsView(sums) })),
    payouts: payouts.map(payoutView),
  };
}

function sumsView({ leads, earnedCents, clawedBackCents, paidOutCents, adjustedCents }: EarningSums) {
  return {
    leads,
    earned: wireAmount(earnedCents),
    clawedBack: wireAmount(clawedBackCents),
    paidOut: wireAmount(paidOutCents),
    adjusted: wireAmount(adjustedCents),
  };
}
