// The console's suppliers: the list with figures, one supplier as in the marketplace file, and setting its status.
import { requestAuthor } from '../audit/request-author.ts';
import { supplierActivity } from '../reports/account-activity.ts';
import { listSuppliersBy } from '../reports/list-accounts.ts';
import { supplierFigures } from '../reports/sales-figures.ts';
import { readSettings } from '../marketplace/stored-settings.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { respondIdempotently, jsonResponse, problemResponse } from '../platform/http/idempotency.ts';
import { PAGE_SIZE } from '../platform/http/list.schema.ts';
import { sendProblem } from '../platform/http/problem.ts';
import type { Refusal } from '../platform/http/request-fault.ts';
import { readSupplier } from '../suppliers/read-suppliers.ts';
import { setSupplierStatus } from '../suppliers/save-suppliers.ts';
import { supplierForm } from '../suppliers/supplier-form.rules.ts';
import {
  ShownSupplierSchema,
  SupplierFormSchema,
  SupplierParams,
  SuppliersQuerySchema,
  SuppliersSchema,
  SupplierStatusSchema,
} from './suppliers.schema.ts';

const NOT_FOUND: Refusal = { status: 404, code: 'not_found', detail: 'There is no such supplier.' };

export type ConsoleSuppliersDependencies = {
  readonly database: Database;
  /** For the list, and one with its figures. */
  readonly reads: Database;
  readonly clock: Clock;
  /** Reloads the configuration in this process; never rejects. */
  readonly reload: () => Promise<void>;
};

export function registerConsoleSuppliers(scope: App, dependencies: ConsoleSuppliersDependencies): void {
  registerList(scope, dependencies);
  registerOne(scope, dependencies);
  registerStatus(scope, dependencies);
}

function registerList(scope: App, { reads, clock }: ConsoleSuppliersDependencies): void {
  scope.get(
    '/api/suppliers',
    {
      config: { permission: 'read' },
      schema: {
        querystring: SuppliersQuerySchema,
        response: { 200: SuppliersSchema },
      },
    },
    async (request, reply) => {
      const { search = null, status = null, page = 1, pageSize = PAGE_SIZE, sort: order = 'name' } = request.query;
      const response = await reads.tx(
        async (tx) => {
          const { total, suppliers } = await listSuppliersBy(
            tx,
            { search, status, page, pageSize, order },
            clock.now(),
          );
          const keys = suppliers.map(({ supplierKey }) => supplierKey);
          const figures = await supplierFigures(tx, keys, clock.now());
          const activityOf = await supplierActivity(tx, keys, clock.now());
          const data = suppliers.map((supplier) => {
            const { lastLeadAt, ...activity } = activityOf(supplier.supplierKey);
            return {
              ...{ ...supplierForm(supplier), figures: figures(supplier.supplierKey) },
              activity: { ...activity, lastLeadAt: lastLeadAt?.toISOString() ?? null },
            };
          });
          return { data, page, pageSize, total };
        },
        { snapshot: true },
      );
      return reply.send(response);
    },
  );
}

function registerOne(scope: App, { reads, clock }: ConsoleSuppliersDependencies): void {
  scope.get(
    '/api/suppliers/:supplierKey',
    {
      config: { permission: 'read' },
      schema: {
        params: SupplierParams,
        response: { 200: ShownSupplierSchema },
      },
    },
    async (request, reply) => {
      const { supplierKey } = request.params;
      const found = await reads.tx(
        async (tx) => {
          const { version } = await readSettings(tx);
          const supplier = await readSupplier(tx, supplierKey);
          if (supplier === null) return null;
          const figures = await supplierFigures(tx, [supplierKey], clock.now());
          return { version, supplier: supplierForm(supplier), figures: figures(supplierKey) };
        },
        { snapshot: true },
      );
      return found === null ? sendProblem(request, reply, NOT_FOUND) : reply.send(found);
    },
  );
}

function registerStatus(scope: App, { database, clock, reload }: ConsoleSuppliersDependencies): void {
  scope.post(
    '/api/suppliers/:supplierKey/status',
    {
      config: { permission: 'configure' },
      schema: { params: SupplierParams, body: SupplierStatusSchema, response: { 200: SupplierFormSchema } },
      attachValidation: true,
    },
    async (request, reply) => {
      const now = clock.now();
      const { supplierKey } = request.params;
      const { actor, origin } = requestAuthor(request);
      return respondIdempotently({
        ...{ database, request, reply, now },
        async work(tx) {
          const { status } = request.body;
          const outcome = await setSupplierStatus(tx, { supplierKey, status, actor, origin }, now);
          return outcome.ok
            ? jsonResponse(200, supplierForm(outcome.value))
            : problemResponse(request, reply, NOT_FOUND);
        },
        onCommitted: reload,
      });
    },
  );
}
