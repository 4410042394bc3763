// The console's ledger: accounts, their entries, manual postings, and the recount (contract 7.7).
import { requestAuthor } from '../audit/request-author.ts';
import { isBlank } from '../base/text.ts';
import { typeId } from '../base/ids.ts';
import { centsOfNumber, wireAmount } from '../base/money.ts';
import { instantOf } from '../base/rfc3339.ts';
import { checkLedger } from '../ledger/check-ledger.ts';
import { sumEntries } from '../ledger/entries.ts';
import type { EntryFilter } from '../ledger/entry-versions.ts';
import { type HandPosting, postByHand } from '../ledger/post-by-hand.ts';
import type { Posted } from '../ledger/post-transfers.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { type HttpResponse, respondIdempotently, jsonResponse, problemResponse } from '../platform/http/idempotency.ts';
import { ListSumsSchema } from '../platform/http/list-sums.schema.ts';
import { LIST_SUMS_MAX, listSums } from '../platform/http/list-sums.ts';
import { pageMembers } from '../platform/http/page-links.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { progressStream } from '../platform/http/progress.ts';
import { type FieldFault, type Refusal, NOT_FOUND } from '../platform/http/request-fault.ts';
import { checkHolds } from '../deliveries/settle-deliveries.ts';
import { checkInvoices } from '../invoices/check-invoices.ts';
import { checkStatements } from '../statements/check-statements.ts';
import { type Account, listAccounts, readAccount } from '../invoices/accounts.ts';
import { readLedgerPage } from '../invoices/read-billing.ts';
import {
  type Account as AccountView,
  AccountPageSchema,
  AccountParams,
  AccountQuerySchema,
  AccountsQuerySchema,
  AccountsSchema,
  type CheckLine,
  type EntryFilters,
  EntryFiltersSchema,
  type Posted as PostedView,
  PostedSchema,
  type Posting as PostingInput,
  PostingBody,
} from './ledger.schema.ts';

export type ConsoleLedgerDependencies = {
  readonly database: Database;
  /** For lists. */
  readonly reads: Database;
  readonly clock: Clock;
  readonly currency: () => string;
};

const PAGE_SIZE = 50;

/** Checked after the ledger itself. Each check returns its findings as sentences. */
const FURTHER_CHECKS = new Map([
  ['holds', checkHolds],
  ['invoices', checkInvoices],
  ['statements', checkStatements],
]);

export function registerConsoleLedger(scope: App, dependencies: ConsoleLedgerDependencies): void {
  registerAccounts(scope, dependencies);
  registerEntries(scope, dependencies);
  registerSums(scope, dependencies);
  registerPosting(scope, dependencies);
  registerCheck(scope, dependencies);
}

function registerAccounts(scope: App, { reads, currency }: ConsoleLedgerDependencies): void {
  scope.get(
    '/api/ledger/accounts',
    { config: { permission: 'read' }, schema: { querystring: AccountsQuerySchema, response: { 200: AccountsSchema } } },
    async (request, reply) => {
      const { search = '', order = 'name', page: wanted = 1 } = request.query;
      const query = { search, order, page: wanted, pageSize: PAGE_SIZE };
      const { total, accounts } = await reads.tx((tx) => listAccounts(tx, query), { snapshot: true });
      const pages = pageMembers({ page: wanted, pageSize: PAGE_SIZE, total });
      return reply.send({ ...pages, currency: currency(), data: accounts.map(accountView) });
    },
  );
}

function registerEntries(scope: App, { reads, currency }: ConsoleLedgerDependencies): void {
  scope.get(
    '/api/ledger/accounts/:partner',
    {
      config: { permission: 'read' },
      schema: {
        params: AccountParams,
        querystring: AccountQuerySchema,
        response: { 200: AccountPageSchema },
      },
    },
    async (request, reply) => {
      const { partner } = request.params;
      const { page: wanted = 1, ...filters } = request.query;
      const span = { page: wanted, pageSize: PAGE_SIZE, filter: entryFilter(filters) };
      const found = await reads.tx(
        async (tx) => {
          const account = await readAccount(tx, partner);
          return account === null ? null : { account, ...(await readLedgerPage(tx, partner, span)) };
        },
        { snapshot: true },
      );
      if (found === null) return sendProblem(request, reply, NOT_FOUND);
      return reply.send({ currency: currency(), account: accountView(found.account), entries: found.ledger });
    },
  );
}

/** What the entries of an account come to under the same filters, on all pages. */
function registerSums(scope: App, { reads, currency }: ConsoleLedgerDependencies): void {
  scope.get(
    '/api/ledger/accounts/:partner/sums',
    {
      config: { permission: 'read' },
      schema: { params: AccountParams, querystring: EntryFiltersSchema, response: { 200: ListSumsSchema } },
    },
    async (request, reply) => {
      const { partner } = request.params;
      const query = { filter: entryFilter(request.query), atMost: LIST_SUMS_MAX };
      const { rows, debitCents, creditCents } = await reads.tx((tx) => sumEntries(tx, partner, query), {
        snapshot: true,
      });
      const cents = { debited: debitCents, credited: creditCents };
      return reply.send(listSums({ rows, cents, currency: currency() }));
    },
  );
}

function entryFilter({ type, from, to }: EntryFilters): EntryFilter {
  return {
    type: type ?? null,
    from: from === undefined ? null : instantOf(from),
    until: to === undefined ? null : instantOf(to),
  };
}

function registerPosting(scope: App, { database, clock }: ConsoleLedgerDependencies): void {
  scope.post(
    '/api/ledger/entries',
    {
      config: { permission: 'money' },
      attachValidation: true,
      schema: { body: PostingBody, response: { 200: PostedSchema } },
    },
    async (request, reply) => {
      const now = clock.now();
      const { actor, origin } = requestAuthor(request);
      const work = async (tx: Tx, idempotencyKey: string | null): Promise<HttpResponse> => {
        const read = readPosting(request.body);
        if (!read.ok) return problemResponse(request, reply, refusalOfFaults(read.faults));
        const posting = { ...read.posting, idempotencyKey, actor, origin };
        const outcome = await postByHand(tx, posting, now);
        if (outcome.ok) return jsonResponse(200, postedView({ ...outcome.value, type: posting.type }));
        const isUnknown = outcome.code === 'partner_not_found';
        return problemResponse(request, reply, isUnknown ? NOT_FOUND : { status: 422, code: 'idempotency_key_reused' });
      };
      return respondIdempotently({ ...{ database, request, reply, now }, work, demandsKey: true });
    },
  );
}

/** Streams one line per step, then the result. */
function registerCheck(scope: App, { database }: ConsoleLedgerDependencies): void {
  const progress = progressStream<CheckLine>();
  scope.post('/api/ledger/check', { config: { permission: 'money', emptyBody: true } }, (request, reply) =>
    progress(request, reply, async ({ report }) => {
      const steps = ['ledger', ...FURTHER_CHECKS.keys()];
      await database.tx(
        async (tx) => {
          report({ kind: 'step', step: 'ledger', done: 0, of: steps.length });
          const { faults, ok: _ok, ...counted } = await checkLedger(tx);
          const found = [...faults];
          for (const [index, [step, check]] of [...FURTHER_CHECKS].entries()) {
            report({ kind: 'step', step, done: index + 1, of: steps.length });
            found.push(...(await check(tx)));
          }
          report({ kind: 'end', ok: found.length === 0, ...counted, faults: found });
        },
        { snapshot: true, patient: true },
      );
    }),
  );
}

function accountView({ buyer, balanceCents, heldCents, creditLimitCents, availableCents }: Account): AccountView {
  return {
    partner: buyer.buyerKey,
    name: buyer.name,
    status: buyer.status,
    mode: buyer.billing.mode,
    timeZone: buyer.timeZone,
    balance: wireAmount(balanceCents),
    held: wireAmount(heldCents),
    creditLimit: creditLimitCents === null ? null : wireAmount(creditLimitCents),
    available: availableCents === null ? null : wireAmount(availableCents),
  };
}

type PostingRead =
  | { readonly ok: true; readonly posting: Pick<HandPosting, 'buyerKey' | 'type' | 'amountCents' | 'description'> }
  | { readonly ok: false; readonly faults: readonly FieldFault[] };

function readPosting({ partner: buyerKey, type, amount: requested, description }: PostingInput): PostingRead {
  const amountCents = centsOfNumber(requested);
  const fault = (field: string, code: string, message: string): PostingRead => {
    return { ok: false, faults: [{ field, code, message }] };
  };
  if (amountCents === null) return fault('amount', 'invalid_format', 'must be an amount with two decimals at most');
  if (amountCents === 0) return fault('amount', 'out_of_range', 'must not be 0');
  if (amountCents < 0 && type !== 'adjustment')
    return fault('amount', 'out_of_range', `must be above 0: a ${type} cannot be negative, an adjustment can`);
  if (isBlank(description)) return fault('description', 'required', 'must not be empty');
  return { ok: true, posting: { buyerKey, type, amountCents, description: description.trim() } };
}

function refusalOfFaults(errors: readonly FieldFault[]): Refusal {
  return { status: 422, code: 'validation_failed', errors };
}

function postedView({
  transferId,
  buyerKey,
  type,
  amountCents,
  balanceAfterCents,
  description,
  createdAt,
}: Posted & Pick<HandPosting, 'type'>): PostedView {
  return {
    entryId: typeId('transfer', transferId),
    partner: buyerKey,
    type,
    amount: wireAmount(amountCents),
    balanceBefore: wireAmount(balanceAfterCents - amountCents),
    balanceAfter: wireAmount(balanceAfterCents),
    description,
    createdAt: createdAt.toISOString(),
  };
}
