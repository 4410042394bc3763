// The console's claims: the review queue, one claim with its evidence, and the steps take, approve and deny (contract 6.10, 7.7).
import { requestAuthor } from '../audit/request-author.ts';
import { isBlank } from '../base/text.ts';
import { type ClaimId, typeId, uuidOf } from '../base/ids.ts';
import { wireAmount } from '../base/money.ts';
import type { Buyer } from '../buyers/buyer.ts';
import type { ClaimKind } from '../buyers/claim-status.ts';
import { readFunds } from '../ledger/funds.ts';
import { type NamedVerticals, verticalName } from '../marketplace/vertical-name.rules.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { type HttpResponse, respondIdempotently, jsonResponse, problemResponse } from '../platform/http/idempotency.ts';
import { ListSumsSchema } from '../platform/http/list-sums.schema.ts';
import { LIST_SUMS_MAX, listSums } from '../platform/http/list-sums.ts';
import { pageMembers } from '../platform/http/page-links.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { type Refusal, NOT_FOUND } from '../platform/http/request-fault.ts';
import type { SupplierConfig } from '../suppliers/supplier.ts';
import type { Claim } from '../claims/claim.ts';
import type { ReviewRefusal, ReviewStep } from '../claims/claim-steps.rules.ts';
import { claimIdOf } from '../claims/claim-view.rules.ts';
import {
  ApproveBody,
  ClaimParams,
  type DecidedClaim,
  DecidedClaimSchema,
  DenyBody,
  ClaimFilterSchema,
  PAGE_SIZE,
  ClaimQueueQuerySchema,
  ClaimQueueSchema,
  ClaimReviewSchema,
  ClaimSumsQuerySchema,
  TakeBody,
} from './claims.schema.ts';
import { HISTORY_DAYS, readReview } from '../claims/read-review.ts';
import { reviewClaim } from '../claims/review-claim.ts';
import { COUNTED_MAX } from '../base/counted-max.ts';
import { countQueue, listQueue, neighboursOf, type QueueFilter, sumQueue } from '../claims/review-queue.ts';
import { queueItem, reviewView, messagesOf } from './claims-view.rules.ts';

export type ConsoleClaimsDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  readonly buyerOf: (buyerKey: string) => Buyer | null;
  readonly supplierOf: (supplierKey: string) => { readonly config: SupplierConfig } | null;
  readonly currency: () => string;
  readonly verticals: () => NamedVerticals;
};

const STATUS = { claim_not_found: 404, claim_closed: 409, claim_not_submitted: 409 } as const satisfies Record<
  'claim_not_found' | ReviewRefusal,
  number
>;

export function registerConsoleClaims(scope: App, dependencies: ConsoleClaimsDependencies): void {
  registerQueue(scope, dependencies);
  registerSums(scope, dependencies);
  registerReview(scope, dependencies);
  registerStep(scope, dependencies, { path: 'start-review', step: 'take', body: TakeBody });
  registerStep(scope, dependencies, { path: 'approve', step: 'approve', body: ApproveBody });
  registerStep(scope, dependencies, { path: 'deny', step: 'deny', body: DenyBody });
}

function registerQueue(scope: App, dependencies: ConsoleClaimsDependencies): void {
  const { database, clock, buyerOf, currency, verticals } = dependencies;
  scope.get(
    '/api/claims',
    {
      config: { permission: 'read' },
      schema: { querystring: ClaimQueueQuerySchema, response: { 200: ClaimQueueSchema } },
    },
    async (request, reply) => {
      const now = clock.now();
      const { status = 'open', page = 1, sort: order = null } = request.query;
      const query = { ...filterOf(request.query), status, order, page, pageSize: PAGE_SIZE };
      const { total, claims } = await database.tx((tx) => listQueue(tx, query), { snapshot: true });
      const counted = Math.min(total, COUNTED_MAX);
      return reply.send({
        ...pageMembers({ page, pageSize: PAGE_SIZE, total: counted }),
        hasMore: total > COUNTED_MAX,
        currency: currency(),
        data: claims.map((claim) =>
          queueItem(
            claim,
            {
              partnerName: buyerOf(claim.buyerKey)?.name ?? claim.buyerKey,
              vertical: verticalName(claim.vertical, verticals()),
            },
            now,
          ),
        ),
      });
    },
  );
}

/** What the queue shows under the same filters, on all of its pages. */
function registerSums(scope: App, { database, currency }: ConsoleClaimsDependencies): void {
  scope.get(
    '/api/claims/sums',
    {
      config: { permission: 'read' },
      schema: { querystring: ClaimSumsQuerySchema, response: { 200: ListSumsSchema } },
    },
    async (request, reply) => {
      const query = { ...filterOf(request.query), status: request.query.status ?? 'open' };
      const { rows, cents } = await database.tx((tx) => sumQueue(tx, query, LIST_SUMS_MAX + 1));
      return reply.send(listSums({ rows, cents: { charged: cents }, currency: currency() }));
    },
  );
}

function registerReview(scope: App, { database, clock, currency, verticals }: ConsoleClaimsDependencies): void {
  scope.get(
    '/api/claims/:id',
    {
      config: { permission: 'read', reveals: 'record' },
      schema: { params: ClaimParams, querystring: ClaimFilterSchema, response: { 200: ClaimReviewSchema } },
    },
    async (request, reply) => {
      const now = clock.now();
      const claimId = uuidOfClaim(request.params.id);
      const input = claimId === null ? null : { claimId, filter: filterOf(request.query) };
      const review = input === null ? null : await database.tx((tx) => readReview(tx, input, now), { snapshot: true });
      // The id's prefix must match the kind of the claim, not only its digits.
      if (review === null || claimIdOf(review.claim) !== request.params.id)
        return sendProblem(request, reply, NOT_FOUND);
      const vertical = verticalName(review.lead.fields?.vertical, verticals());
      const options = { currency: currency(), vertical, historyDays: HISTORY_DAYS, countedMax: COUNTED_MAX };
      return reply.send(reviewView(review, options, now));
    },
  );
}

type StepRoute = {
  readonly path: string;
  readonly step: ReviewStep;
  readonly body: typeof ApproveBody | typeof DenyBody | typeof TakeBody;
};

function registerStep(scope: App, dependencies: ConsoleClaimsDependencies, { path, step, body }: StepRoute): void {
  const { database, clock } = dependencies;
  scope.post(
    `/api/claims/:id/${path}`,
    {
      config: { permission: 'operate' },
      attachValidation: true,
      schema: {
        params: ClaimParams,
        querystring: ClaimFilterSchema,
        body: body as typeof ApproveBody,
        response: { 200: DecidedClaimSchema },
      },
    },
    async (request, reply) => {
      const now = clock.now();
      const { id } = request.params;
      const { note = null } = request.body ?? {};
      const filter = filterOf(request.query);
      const work = async (tx: Tx): Promise<HttpResponse> => {
        const refused = (refusal: Refusal): HttpResponse => problemResponse(request, reply, refusal);
        if (note !== null && isBlank(note)) return refused(blankNote());
        const claimId = uuidOfClaim(id);
        if (claimId === null) return refused(NOT_FOUND);
        const { actor, origin } = requestAuthor(request);
        const outcome = await reviewClaim(tx, { claimId, step, note: note?.trim() ?? null, actor, origin }, now);
        if (!outcome.ok) return refused(refusalOf(outcome));
        return jsonResponse(200, await decided(tx, { claim: outcome.value, filter, dependencies }));
      };
      return respondIdempotently({ ...{ database, request, reply, now }, work });
    },
  );
}

type Deciding = {
  readonly claim: Claim;
  readonly filter: QueueFilter;
  readonly dependencies: ConsoleClaimsDependencies;
};

/** The outcome, and the claim to review next: the one due after it, or else the one before. */
async function decided(tx: Tx, { claim, filter, dependencies }: Deciding): Promise<DecidedClaim> {
  const { buyerKey, supplierKey, decidedAt, status, deliveryId, creditCents } = claim;
  const buyer = dependencies.buyerOf(buyerKey);
  const supplier = dependencies.supplierOf(supplierKey)?.config;
  const supplierIsNotified = supplier?.callback?.events.includes('lead.returned') === true && status === 'approved';
  const messages = buyer === null ? null : messagesOf({ buyer, supplierIsNotified });
  const { next, previous } = await neighboursOf(tx, claim, filter);
  const open = await countQueue(tx, { ...filter, status: 'open' });
  const funds = (await readFunds(tx, [buyerKey])).get(buyerKey);
  return {
    id: claimIdOf(claim),
    deliveryId: typeId('delivery', deliveryId),
    status,
    credit: creditCents === null ? null : wireAmount(creditCents),
    balance: wireAmount(funds?.balanceCents ?? 0),
    partnerMessage: decidedAt === null ? null : (messages?.partnerMessage ?? 'feed'),
    supplierMessage: messages?.supplierMessage ?? false,
    next: next ?? previous,
    open,
  };
}

type Filters = { readonly kind?: ClaimKind; readonly partner?: string; readonly vertical?: string };

const uuidOfClaim = (id: string): ClaimId | null => uuidOf('return', id) ?? uuidOf('dispute', id);

function filterOf({ kind, partner, vertical }: Filters): QueueFilter {
  return { kind: kind ?? null, buyerKey: partner ?? null, verticalKey: vertical ?? null };
}

function blankNote(): Refusal {
  const errors = [{ field: 'note', code: 'required', message: 'must say why' }];
  return { status: 422, code: 'validation_failed', errors };
}

function refusalOf(refused: { readonly code: keyof typeof STATUS; readonly detail?: string }): Refusal {
  const { code, detail } = refused;
  if (code === 'claim_not_found') return NOT_FOUND;
  return { status: STATUS[code], code, ...(detail === undefined ? {} : { detail }) };
}
