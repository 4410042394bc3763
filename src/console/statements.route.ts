// Statements of suppliers in the console and the operator's API: the list, one statement, and its document or lines (contract 11.3).
import type { ExportSlots } from '../deliveries/export/export-slots.ts';
import { sendDocument } from '../invoices/invoice-document.route.ts';
import { wireAmount } from '../base/money.ts';
import type { Brand } from '../marketplace/brand.schema.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { PAGE_SIZE } from '../platform/http/list.schema.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { NOT_FOUND } from '../platform/http/request-fault.ts';
import { findStatement, listStatements, readStatementDetail } from '../statements/find-statements.ts';
import { sendStatementCsv } from '../statements/send-statement-csv.route.ts';
import { statementDocument } from '../statements/statement-document.rules.ts';
import { detailView, statementForm } from '../statements/statement-view.rules.ts';
import type { StatementDetail, SupplierStatement } from '../statements/statement.ts';
import type { SupplierConfig } from '../suppliers/supplier.ts';
import { registerStatementRun } from './statement-run.route.ts';
import {
  ShownStatementSchema,
  StatementDocumentQuery,
  StatementListSchema,
  StatementParams,
  StatementsQuery,
} from './statements.schema.ts';

export type ConsoleStatementsDependencies = {
  readonly database: Database;
  /** For lists. */
  readonly reads: Database;
  readonly clock: Clock;
  /** Shared by all routes that export. */
  readonly exportSlots: ExportSlots;
  readonly supplierOf: (supplierKey: string) => { readonly config: Pick<SupplierConfig, 'name'> } | null;
  readonly currency: () => string;
  readonly brand: () => Brand;
};

export function registerConsoleStatements(scope: App, dependencies: ConsoleStatementsDependencies): void {
  registerList(scope, dependencies);
  registerOne(scope, dependencies);
  registerDocument(scope, dependencies);
  registerStatementRun(scope, dependencies);
}

function registerList(scope: App, dependencies: ConsoleStatementsDependencies): void {
  const { reads, currency } = dependencies;
  scope.get(
    '/api/statements',
    {
      config: { permission: 'read' },
      schema: { querystring: StatementsQuery, response: { 200: StatementListSchema } },
    },
    async (request, reply) => {
      const { supplier = null, month = null, sort: order = '-issued', page = 1, pageSize = PAGE_SIZE } = request.query;
      const query = { supplierKey: supplier, month, order, page, pageSize };
      const { total, earnedCents, statements } = await reads.tx((tx) => listStatements(tx, query), { snapshot: true });
      return reply.send({
        ...{ page, pageSize, total, currency: currency(), earned: wireAmount(earnedCents) },
        data: statements.map((statement) => ({ ...statementForm(statement), ...named(statement, dependencies) })),
      });
    },
  );
}

function registerOne(scope: App, dependencies: ConsoleStatementsDependencies): void {
  scope.get(
    '/api/statements/:statementId',
    {
      config: { permission: 'read' },
      schema: { params: StatementParams, response: { 200: ShownStatementSchema } },
    },
    async (request, reply) => {
      const detail = await readDetail(dependencies, request.params.statementId);
      if (detail === null) return sendProblem(request, reply, NOT_FOUND);
      const { statement } = detail;
      return reply.send({
        ...detailView(detail),
        supplier: statement.supplierKey,
        ...named(statement, dependencies),
      });
    },
  );
}

function registerDocument(scope: App, dependencies: ConsoleStatementsDependencies): void {
  const { database, exportSlots: slots, brand } = dependencies;
  scope.get(
    '/api/statements/:statementId/document',
    { config: { permission: 'read' }, schema: { params: StatementParams, querystring: StatementDocumentQuery } },
    async (request, reply) => {
      const { statementId } = request.params;
      const { form = 'pdf' } = request.query;
      if (form === 'csv')
        return sendStatementCsv(request, reply, { database, slots, find: (tx) => findStatement(tx, statementId) });
      const detail = await readDetail(dependencies, statementId);
      if (detail === null) return sendProblem(request, reply, NOT_FOUND);
      return sendDocument(
        reply,
        { document: statementDocument(detail), brand: brand() },
        { form, disposition: 'attachment' },
      );
    },
  );
}

async function readDetail(
  { database }: ConsoleStatementsDependencies,
  statementId: string,
): Promise<StatementDetail | null> {
  const read = async (tx: Tx): Promise<StatementDetail | null> => {
    const statement = await findStatement(tx, statementId);
    return statement === null ? null : readStatementDetail(tx, statement);
  };
  return database.tx(read, { snapshot: true });
}

function named(
  { supplierKey, supplierName }: SupplierStatement,
  { supplierOf }: Pick<ConsoleStatementsDependencies, 'supplierOf'>,
): { readonly supplierName: string } {
  return { supplierName: supplierOf(supplierKey)?.config.name ?? supplierName };
}
