// What the operator owes its suppliers, and the payouts, in the console and the operator's API (contract 11.3).
import { requestAuthor } from '../audit/request-author.ts';
import { typeId } from '../base/ids.ts';
import { centsOfNumber, wireAmount } from '../base/money.ts';
import { isBlank } from '../base/text.ts';
import { adjustSupplier } from '../ledger/adjust-suppliers.ts';
import type { PostedToSupplier } from '../ledger/post-supplier-transfers.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { type HttpResponse, jsonResponse, problemResponse, respondIdempotently } from '../platform/http/idempotency.ts';
import { PAGE_SIZE } from '../platform/http/list.schema.ts';
import { NOT_FOUND, type Refusal } from '../platform/http/request-fault.ts';
import { listSuppliersBy } from '../reports/list-accounts.ts';
import { listPayouts } from '../statements/find-payouts.ts';
import { readSupplierBalance } from '../statements/read-earnings.ts';
import { type PayoutRefusal, recordPayout } from '../statements/record-payout.ts';
import { payoutForm } from '../statements/statement-view.rules.ts';
import type { Payout } from '../statements/statement.ts';
import type { SupplierConfig } from '../suppliers/supplier.ts';
import {
  type Adjustment,
  AdjustmentBody,
  AdjustmentSchema,
  PayoutBody,
  PayoutListSchema,
  PayoutsQuery,
  RecordedPayoutSchema,
  type SupplierBalances,
  SupplierBalancesQuery,
  SupplierBalancesSchema,
} from './statements.schema.ts';

export type ConsolePayoutsDependencies = {
  readonly database: Database;
  /** For lists. */
  readonly reads: Database;
  readonly clock: Clock;
  readonly supplierOf: (supplierKey: string) => { readonly config: Pick<SupplierConfig, 'name'> } | null;
  readonly currency: () => string;
};

export function registerConsolePayouts(scope: App, dependencies: ConsolePayoutsDependencies): void {
  registerBalances(scope, dependencies);
  registerList(scope, dependencies);
  registerRecord(scope, dependencies);
  registerAdjust(scope, dependencies);
}

function registerBalances(scope: App, { reads, clock, currency }: ConsolePayoutsDependencies): void {
  scope.get(
    '/api/supplier-balances',
    {
      config: { permission: 'read' },
      schema: { querystring: SupplierBalancesQuery, response: { 200: SupplierBalancesSchema } },
    },
    async (request, reply) => {
      const { search = null, sort: order = 'name', page = 1, pageSize = PAGE_SIZE } = request.query;
      const now = clock.now();
      const read = async (tx: Tx): Promise<SupplierBalances> => {
        const { total, suppliers } = await listSuppliersBy(tx, { search, status: null, order, page, pageSize }, now);
        const data: SupplierBalances['data'] = [];
        for (const supplier of suppliers) {
          const { balanceCents, heldCents, payableCents } = await readSupplierBalance(tx, supplier, now);
          const { supplierKey, name, timeZone } = supplier;
          data.push({
            ...{ supplier: supplierKey, supplierName: name, timeZone, balance: wireAmount(balanceCents) },
            ...{ held: wireAmount(heldCents), payable: wireAmount(payableCents) },
          });
        }
        return { data, page, pageSize, total, currency: currency() };
      };
      return reply.send(await reads.tx(read, { snapshot: true }));
    },
  );
}

function registerList(scope: App, dependencies: ConsolePayoutsDependencies): void {
  const { reads, currency } = dependencies;
  scope.get(
    '/api/payouts',
    { config: { permission: 'read' }, schema: { querystring: PayoutsQuery, response: { 200: PayoutListSchema } } },
    async (request, reply) => {
      const { supplier: supplierKey = null, sort: order = '-recorded', page = 1, pageSize = PAGE_SIZE } = request.query;
      const query = { supplierKey, order, page, pageSize };
      const { total, payouts } = await reads.tx((tx) => listPayouts(tx, query), { snapshot: true });
      const data = payouts.map((payout) => formOf(payout, dependencies));
      return reply.send({ data, page, pageSize, total, currency: currency() });
    },
  );
}

function registerRecord(scope: App, dependencies: ConsolePayoutsDependencies): void {
  const { database, clock } = dependencies;
  scope.post(
    '/api/payouts',
    {
      config: { permission: 'money' },
      attachValidation: true,
      schema: { body: PayoutBody, response: { 200: RecordedPayoutSchema } },
    },
    async (request, reply) => {
      const now = clock.now();
      return respondIdempotently({
        ...{ database, request, reply, now },
        async work(tx) {
          const { supplier: supplierKey, amount, reference } = request.body;
          const amountCents = centsOfNumber(amount);
          if (amountCents === null || amountCents <= 0)
            return problemResponse(request, reply, fault('amount', 'must be above 0, with two decimals at most'));
          if (isBlank(reference)) return problemResponse(request, reply, fault('reference', 'must not be empty'));
          const input = { supplierKey, amountCents, reference: reference.trim(), ...requestAuthor(request) };
          const outcome = await recordPayout(tx, input, now);
          return outcome.ok
            ? jsonResponse(200, formOf(outcome.value, dependencies))
            : problemResponse(request, reply, refusalOf(outcome.code, outcome.detail));
        },
      });
    },
  );
}

/** A correction of a supplier's balance, on its next statement. */
function registerAdjust(scope: App, { database, clock }: ConsolePayoutsDependencies): void {
  scope.post(
    '/api/supplier-adjustments',
    {
      config: { permission: 'money' },
      attachValidation: true,
      schema: { body: AdjustmentBody, response: { 200: AdjustmentSchema } },
    },
    async (request, reply) => {
      const now = clock.now();
      const work = async (tx: Tx, idempotencyKey: string | null): Promise<HttpResponse> => {
        const { supplier: supplierKey, amount, description } = request.body;
        const amountCents = centsOfNumber(amount);
        if (amountCents === null || amountCents === 0)
          return problemResponse(request, reply, fault('amount', 'must not be 0, with two decimals at most'));
        if (isBlank(description)) return problemResponse(request, reply, fault('description', 'must not be empty'));
        const input = { supplierKey, amountCents, description: description.trim(), idempotencyKey };
        const outcome = await adjustSupplier(tx, { ...input, ...requestAuthor(request) }, now);
        if (outcome.ok) return jsonResponse(200, adjustmentForm(outcome.value));
        const isUnknown = outcome.code === 'supplier_not_found';
        return problemResponse(request, reply, isUnknown ? NOT_FOUND : { status: 422, code: 'idempotency_key_reused' });
      };
      return respondIdempotently({ ...{ database, request, reply, now }, work, demandsKey: true });
    },
  );
}

function adjustmentForm(posted: PostedToSupplier): Adjustment {
  const { transferId, supplierKey, amountCents, balanceAfterCents, description, createdAt } = posted;
  return {
    ...{ entryId: typeId('transfer', transferId), supplier: supplierKey, amount: wireAmount(amountCents) },
    balanceBefore: wireAmount(balanceAfterCents - amountCents),
    balanceAfter: wireAmount(balanceAfterCents),
    ...{ description, createdAt: createdAt.toISOString() },
  };
}

function formOf(payout: Payout, { supplierOf }: Pick<ConsolePayoutsDependencies, 'supplierOf'>) {
  return {
    ...payoutForm(payout),
    supplierName: supplierOf(payout.supplierKey)?.config.name ?? payout.supplierKey,
  };
}

function fault(field: string, message: string): Refusal {
  return { status: 422, code: 'validation_failed', errors: [{ field, code: 'out_of_range', message }] };
}

function refusalOf(code: PayoutRefusal, detail = 'cannot be recorded'): Refusal {
  if (code === 'supplier_not_found') return NOT_FOUND;
  return fault(code === 'payout_exceeds_balance' ? 'amount' : 'reference', detail);
}
