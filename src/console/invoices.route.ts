// The console's invoices: the list, one invoice and its document, recording a payment, voiding (contract 6.19, 7.2).
import { strict as assert } from 'node:assert';
import { requestAuthor } from '../audit/request-author.ts';
import { isBlank } from '../base/text.ts';
import { centsOfNumber, wireAmount } from '../base/money.ts';
import type { Buyer } from '../buyers/buyer.ts';
import type { Brand } from '../marketplace/brand.schema.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { type HttpResponse, respondIdempotently, jsonResponse, problemResponse } from '../platform/http/idempotency.ts';
import { ListSumsSchema } from '../platform/http/list-sums.schema.ts';
import { LIST_SUMS_MAX, listSums } from '../platform/http/list-sums.ts';
import { pageMembers } from '../platform/http/page-links.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { type Refusal, NOT_FOUND } from '../platform/http/request-fault.ts';
import {
  DocumentQuery,
  type Invoice as InvoiceView,
  type InvoicePosting as PostingView,
  InvoiceDetailSchema,
  InvoiceFiltersSchema,
  InvoiceParams,
  InvoiceSchema,
  InvoicesSchema,
  InvoicesQuerySchema,
  PAGE_SIZE,
  PayBody,
  VoidBody,
} from './invoices.schema.ts';
import { registerConsoleInvoiceRun } from './invoice-run.route.ts';
import { findInvoice, readInvoiceDetail } from '../invoices/find-invoices.ts';
import { invoiceDocument } from '../invoices/invoice-document.rules.ts';
import { sendDocument } from '../invoices/invoice-document.route.ts';
import { COUNTED_MAX } from '../base/counted-max.ts';
import { invoiceForm } from '../invoices/invoice-view.rules.ts';
import type { Invoice, InvoiceDetail, InvoicePosting, MonthSum } from '../invoices/invoice.ts';
import { listInvoices, sumInvoices } from '../invoices/list-invoices.ts';
import { payInvoice } from '../invoices/pay-invoice.ts';
import { readBalance } from '../invoices/accounts.ts';
import { freeCents } from '../invoices/settlement.rules.ts';
import { voidInvoice } from '../invoices/void-invoice.ts';

export type ConsoleInvoicesDependencies = {
  readonly database: Database;
  /** For lists. */
  readonly reads: Database;
  readonly clock: Clock;
  readonly buyerOf: (buyerKey: string) => Pick<Buyer, 'name'> | null;
  readonly currency: () => string;
  readonly brand: () => Brand;
};

export function registerConsoleInvoices(scope: App, dependencies: ConsoleInvoicesDependencies): void {
  registerList(scope, dependencies);
  registerSums(scope, dependencies);
  registerOne(scope, dependencies);
  registerDocument(scope, dependencies);
  registerPayment(scope, dependencies);
  registerVoid(scope, dependencies);
  registerConsoleInvoiceRun(scope, dependencies);
}

function registerList(scope: App, dependencies: ConsoleInvoicesDependencies): void {
  const { reads, clock, currency } = dependencies;
  scope.get(
    '/api/invoices',
    { config: { permission: 'read' }, schema: { querystring: InvoicesQuerySchema, response: { 200: InvoicesSchema } } },
    async (request, reply) => {
      const now = clock.now();
      const {
        month = null,
        status = 'any',
        partner: buyerKey = null,
        sort: order = '-issued',
        page = 1,
      } = request.query;
      const query = { month, status, buyerKey, order, page, pageSize: PAGE_SIZE };
      const { total, invoices, sum } = await reads.tx((tx) => listInvoices(tx, query, now), { snapshot: true });
      const counted = Math.min(total, COUNTED_MAX);
      return reply.send({
        ...pageMembers({ page, pageSize: PAGE_SIZE, total: counted }),
        hasMore: total > COUNTED_MAX,
        currency: currency(),
        sum: sum === null ? null : sumView(sum),
        data: invoices.map((invoice) => formOf(invoice, dependencies)),
      });
    },
  );
}

/** What the list shows under the same filters, on all of its pages. */
function registerSums(scope: App, { reads, clock, currency }: ConsoleInvoicesDependencies): void {
  scope.get(
    '/api/invoices/sums',
    {
      config: { permission: 'read' },
      schema: { querystring: InvoiceFiltersSchema, response: { 200: ListSumsSchema } },
    },
    async (request, reply) => {
      const now = clock.now();
      const { month = null, status = 'any', partner: buyerKey = null } = request.query;
      const { rows, cents } = await reads.tx((tx) =>
        sumInvoices(tx, { month, status, buyerKey }, LIST_SUMS_MAX + 1, now),
      );
      return reply.send(listSums({ rows, cents: { due: cents }, currency: currency() }));
    },
  );
}

function registerOne(scope: App, dependencies: ConsoleInvoicesDependencies): void {
  const { database, clock } = dependencies;
  scope.get(
    '/api/invoices/:id',
    { config: { permission: 'read' }, schema: { params: InvoiceParams, response: { 200: InvoiceDetailSchema } } },
    async (request, reply) => {
      const now = clock.now();
      const found = await database.tx(
        async (tx) => {
          const detail = await readDetail(tx, request.params.id, now);
          if (detail === null) return null;
          const isDue = detail.invoice.amountDueCents > 0;
          return { detail, free: isDue ? freeCents(await readBalance(tx, detail.invoice.buyerKey)) : null };
        },
        { snapshot: true },
      );
      if (found === null) return sendProblem(request, reply, NOT_FOUND);
      const { invoice, items, credits, creditCount, payments } = found.detail;
      return reply.send({
        ...formOf(invoice, dependencies),
        items: items.map(({ day, what, unitCents, quantity }) => ({
          day,
          what,
          unit: wireAmount(unitCents),
          quantity,
        })),
        credited: credits.map(postingView),
        creditCount,
        payments: payments.map(postingView),
        free: found.free === null ? null : wireAmount(Math.max(0, found.free)),
      });
    },
  );
}

/** Sent as a download, so that the document never runs in the console's origin. */
function registerDocument(scope: App, { database, clock, brand }: ConsoleInvoicesDependencies): void {
  scope.get(
    '/api/invoices/:id/document',
    { config: { permission: 'read' }, schema: { params: InvoiceParams, querystring: DocumentQuery } },
    async (request, reply) => {
      const now = clock.now();
      const { form = 'pdf' } = request.query;
      const detail = await database.tx((tx) => readDetail(tx, request.params.id, now), { snapshot: true });
      if (detail === null) return sendProblem(request, reply, NOT_FOUND);
      return sendDocument(
        reply,
        { document: invoiceDocument(detail), brand: brand() },
        { form, disposition: 'attachment' },
      );
    },
  );
}

function registerPayment(scope: App, dependencies: ConsoleInvoicesDependencies): void {
  const { database, clock } = dependencies;
  scope.post(
    '/api/invoices/:id/pay',
    {
      config: { permission: 'money' },
      attachValidation: true,
      schema: { params: InvoiceParams, body: PayBody, response: { 200: InvoiceSchema } },
    },
    async (request, reply) => {
      const now = clock.now();
      const { actor, origin } = requestAuthor(request);
      const work = async (tx: Tx): Promise<HttpResponse> => {
        const amountCents = centsOf(request.body.amount);
        if (amountCents === 'faulty') return problemResponse(request, reply, faultyAmount());
        const input = { name: request.params.id, amountCents, actor, origin };
        const outcome = await payInvoice(tx, input, now);
        return outcome.ok
          ? jsonResponse(200, formOf(outcome.value, dependencies))
          : problemResponse(request, reply, refusalOf(outcome.code));
      };
      return respondIdempotently({ ...{ database, request, reply, now }, work, demandsKey: true });
    },
  );
}

function registerVoid(scope: App, dependencies: ConsoleInvoicesDependencies): void {
  const { database, clock } = dependencies;
  scope.post(
    '/api/invoices/:id/void',
    {
      config: { permission: 'money' },
      attachValidation: true,
      schema: { params: InvoiceParams, body: VoidBody, response: { 200: InvoiceSchema } },
    },
    async (request, reply) => {
      const now = clock.now();
      const { actor, origin } = requestAuthor(request);
      const work = async (tx: Tx): Promise<HttpResponse> => {
        const note = request.body.note.trim();
        if (isBlank(note)) return problemResponse(request, reply, blankNote());
        const outcome = await voidInvoice(tx, { name: request.params.id, note, actor, origin }, now);
        return outcome.ok
          ? jsonResponse(200, formOf(outcome.value, dependencies))
          : problemResponse(request, reply, refusalOf(outcome.code));
      };
      return respondIdempotently({ ...{ database, request, reply, now }, work });
    },
  );
}

async function readDetail(tx: Tx, name: string, now: Date): Promise<InvoiceDetail | null> {
  const invoice = await findInvoice(tx, name, now);
  return invoice === null ? null : readInvoiceDetail(tx, invoice);
}

function formOf(invoice: Invoice, { buyerOf }: Pick<ConsoleInvoicesDependencies, 'buyerOf'>): InvoiceView {
  const { status, ...form } = invoiceForm(invoice);
  assert(status !== 'draft', 'a draft lives only inside the transaction that issues it');
  return { ...form, status, partnerName: buyerOf(invoice.buyerKey)?.name ?? invoice.buyerName };
}

function sumView({ invoices, subtotalCents, creditsCents, totalCents, amountDueCents }: MonthSum) {
  return {
    invoices,
    subtotal: wireAmount(subtotalCents),
    credits: wireAmount(creditsCents),
    total: wireAmount(totalCents),
    amountDue: wireAmount(amountDueCents),
  };
}

function postingView({ at, description, amountCents }: InvoicePosting): PostingView {
  return { at: at.toISOString(), description, amount: wireAmount(amountCents) };
}

function centsOf(amount: number | null): number | null | 'faulty' {
  if (amount === null) return null;
  const cents = centsOfNumber(amount);
  return cents === null || cents <= 0 ? 'faulty' : cents;
}

function faultyAmount(): Refusal {
  const message = 'must be an amount above 0 with two decimals at most';
  return { status: 422, code: 'validation_failed', errors: [{ field: 'amount', code: 'out_of_range', message }] };
}

function blankNote(): Refusal {
  const errors = [{ field: 'note', code: 'required', message: 'must say why' }];
  return { status: 422, code: 'validation_failed', errors };
}

function refusalOf(
  code:
    | 'invoice_not_found'
    | 'invoice_void'
    | 'invoice_paid'
    | 'balance_too_low'
    | 'invoice_has_payments'
    | 'invoice_carried',
): Refusal {
  return code === 'invoice_not_found' ? NOT_FOUND : { status: 409, code };
}
