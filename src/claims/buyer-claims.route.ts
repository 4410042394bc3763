// Routes of partners' claims: file, list, read and withdraw returns and disputes under /api/v1/buyer (contract 6.8 to 6.10).
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { buyerAuthor } from '../audit/request-author.ts';
import { type ClaimId, uuidOf } from '../base/ids.ts';
import { isMembers } from '../base/json.ts';
import type { ClaimKind } from '../buyers/claim-status.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { respondIdempotently, jsonResponse, problemResponse } from '../platform/http/idempotency.ts';
import { pageLinks } from '../platform/http/page-links.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { problemCatalogue, type ProblemCode } from '../platform/http/problem-catalogue.ts';
import { documentedProblems } from '../platform/http/problem-schema.ts';
import { type Refusal, NOT_FOUND } from '../platform/http/request-fault.ts';
import { principalOf } from '../platform/http/scope.ts';
import { checkAllButBody } from '../platform/http/validation.ts';
import { readClaimBody } from './claim-body.rules.ts';
import {
  ClaimPreviewSchema,
  DisputePageSchema,
  DisputeRequestSchema,
  DisputeSchema,
  ReturnPageSchema,
  ReturnRequestSchema,
  ReturnSchema,
} from './claim.schema.ts';
import { claimPreviewView, type ClaimToPreview, previewClaim } from './preview-filing.ts';
import { claimView } from './claim-view.rules.ts';
import { fileClaim } from './file-claim.ts';
import type { FilingBuyer } from './judge-filing.ts';
import { listClaims, readClaim } from './stored-claims.ts';
import { withdrawClaim } from './withdraw-claim.ts';

export type BuyerClaimsDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  readonly buyerOf: (buyerKey: string) => FilingBuyer;
  readonly personPepper: Buffer;
};

type Words = {
  readonly kind: ClaimKind;
  readonly path: string;
  readonly schema: 'Return' | 'Dispute';
  readonly one: string;
  readonly many: string;
  readonly filing: string;
  readonly idExample: string;
  /** Problem codes of filing that only this kind has. */
  readonly codes: readonly ProblemCode[];
};

const RETURNS: Words = {
  kind: 'return',
  path: '/api/v1/buyer/returns',
  schema: 'Return',
  one: 'return',
  many: 'returns',
  filing:
    'For an objective defect of a Confirmed delivery, within the window and the monthly cap of your return policy. An unknown reason is reported in `errors` as `reason_unknown`, an outcome of the sale as `reason_not_objective`. Filing alone changes nothing: the operator decides by `decisionDueAt`, and approval posts the credit.',
  idExample: 'ret_01m7x31pqskym9jx5ycnqd0f3h',
  codes: ['return_window_closed', 'return_cap_reached', 'proof_required'],
};
const DISPUTES: Words = {
  kind: 'dispute',
  path: '/api/v1/buyer/disputes',
  schema: 'Dispute',
  one: 'dispute',
  many: 'disputes',
  filing:
    'For an objective defect of a Confirmed delivery, within the days of your return policy and without a cap; once, a dispute also appeals a denied return. An unknown reason is reported in `errors` as `reason_unknown`, an outcome of the sale as `reason_not_objective`. Filing alone changes nothing: the operator decides by `decisionDueAt`, and approval posts the credit.',
  idExample: 'dsp_01m7x31pqskym9jx5ycnqd0f3h',
  codes: ['dispute_window_closed', 'detail_required', 'evidence_required'],
};

const QuerySchema = Type.Object({
  page: Type.Optional(Type.Integer({ minimum: 1, default: 1, description: 'A page past the end is empty.' })),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25, description: 'Items per page.' })),
});

const FilingQuerySchema = Type.Object({
  dryRun: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'With `true`, checks the claim without filing it and responds with the result. An `Idempotency-Key` is ignored.',
    }),
  ),
});

export function registerBuyerClaims(scope: App, dependencies: BuyerClaimsDependencies): void {
  const schemas = [ReturnRequestSchema, ReturnSchema, ReturnPageSchema];
  for (const schema of [...schemas, DisputeRequestSchema, DisputeSchema, DisputePageSchema, ClaimPreviewSchema])
    scope.addSchema(schema);
  for (const words of [RETURNS, DISPUTES]) {
    registerFiling(scope, words, dependencies);
    registerList(scope, words, dependencies);
    registerOne(scope, words, dependencies);
    registerWithdrawal(scope, words, dependencies);
  }
}

function registerFiling(scope: App, words: Words, dependencies: BuyerClaimsDependencies): void {
  const { database, clock, buyerOf, personPepper } = dependencies;
  const { kind, path, schema, one, filing, codes } = words;
  scope.post(
    path,
    {
      schema: {
        operationId: `file${schema}`,
        summary: `File a ${one}`,
        description: filing,
        tags: ['Buyer'],
        querystring: FilingQuerySchema,
        body: Type.Ref(`${schema}Request`),
        response: {
          // Client generators take the first 2xx as the type of every response, so it names the schema of 201 as well.
          200: Type.Union([Type.Ref('ClaimPreview'), Type.Ref(schema)], {
            description: 'With `dryRun=true`: the result of the check. Nothing was filed.',
          }),
          201: Type.Ref(schema),
          ...documentedProblems(
            'partner_suspended',
            'delivery_not_found',
            'delivery_not_confirmed',
            'claim_exists',
            'validation_failed',
            'reason_kind_mismatch',
            ...codes,
          ),
        },
      },
      // The body's rules report all errors at once, those of the reason included.
      attachValidation: true,
      validatorCompiler: checkAllButBody,
      // The view has exactly the members of the schema already.
      serializerCompiler: () => (response) => JSON.stringify(response),
    },
    async (request, reply) => {
      const now = clock.now();
      const buyer = buyerOf(principalOf(request).ownerKey);
      const reading = readClaimBody(kind, membersOf(request.body));
      if (request.query.dryRun === true) {
        if (request.validationError !== undefined) throw request.validationError;
        if (!reading.ok) {
          const { faults: errors } = reading;
          return sendProblem(request, reply, { status: 422, code: 'validation_failed', errors });
        }
        const claim: ClaimToPreview = {
          ...reading.body,
          kind,
          deliveryId: uuidOf('delivery', reading.body.deliveryId),
        };
        const preview = await database.tx((tx) => previewClaim(tx, buyer, claim, now), { snapshot: true });
        return preview === null
          ? sendProblem(request, reply, refusalOf({ code: 'delivery_not_found' }))
          : reply.code(200).send(claimPreviewView(preview));
      }
      return respondIdempotently({
        ...{ database, request, reply, now },
        async work(tx) {
          if (!reading.ok) {
            const { faults: errors } = reading;
            return problemResponse(request, reply, { status: 422, code: 'validation_failed', errors });
          }
          const deliveryId = uuidOf('delivery', reading.body.deliveryId);
          const input = { ...reading.body, kind, deliveryId, author: buyerAuthor(request), personPepper };
          const outcome = await fileClaim(tx, buyer, input, now);
          return outcome.ok
            ? jsonResponse(201, claimView(outcome.value))
            : problemResponse(request, reply, refusalOf(outcome));
        },
      });
    },
  );
}

function registerList(scope: App, words: Words, { database }: BuyerClaimsDependencies): void {
  const { kind, path, schema, many } = words;
  scope.get(
    path,
    {
      config: { responseHeaders: ['Link'] },
      schema: {
        operationId: `list${schema}s`,
        summary: `List your ${many}`,
        description: `Your ${many}, newest first. \`Link\` leads to the first, previous, next and last page.`,
        tags: ['Buyer'],
        querystring: QuerySchema,
        response: { 200: Type.Ref(`${schema}Page`), ...documentedProblems('partner_suspended') },
      },
      // Views have exactly the members of the schema already.
      serializerCompiler: () => (response) => JSON.stringify(response),
    },
    async (request, reply) => {
      const { ownerKey } = principalOf(request);
      const { page = 1, pageSize = 25 } = request.query;
      const query = { kind, page, pageSize };
      const { total, claims } = await database.tx((tx) => listClaims(tx, ownerKey, query), { snapshot: true });
      const totalPages = Math.ceil(total / pageSize);
      reply.header('link', pageLinks(request.url, { page, totalPages }));
      return reply.send({ page, pageSize, total, totalPages, data: claims.map(claimView) });
    },
  );
}

function registerOne(scope: App, words: Words, { database }: BuyerClaimsDependencies): void {
  const { kind, path, schema, one } = words;
  scope.get(
    `${path}/:id`,
    {
      schema: {
        operationId: `get${schema}`,
        summary: `Read a ${one}`,
        description: `The current state of the ${one}.`,
        tags: ['Buyer'],
        params: paramsOf(words),
        response: { 200: Type.Ref(schema), ...documentedProblems('partner_suspended', 'not_found') },
      },
      serializerCompiler: () => (response) => JSON.stringify(response),
    },
    async (request, reply) => {
      const claimId = claimIdIn(request, kind);
      const { ownerKey } = principalOf(request);
      const claim = claimId === null ? null : await readClaim(database, ownerKey, { kind, claimId });
      return claim === null ? sendProblem(request, reply, NOT_FOUND) : reply.send(claimView(claim));
    },
  );
}

function registerWithdrawal(scope: App, words: Words, { database, clock }: BuyerClaimsDependencies): void {
  const { kind, path, schema, one } = words;
  scope.delete(
    `${path}/:id`,
    {
      schema: {
        operationId: `withdraw${schema}`,
        summary: `Withdraw a ${one}`,
        description: `Only while it is submitted. Returns the withdrawn ${one}, which stays in the list. Another one may then be filed.`,
        tags: ['Buyer'],
        params: paramsOf(words),
        response: {
          200: Type.Ref(schema),
          ...documentedProblems('partner_suspended', 'not_found', 'claim_not_withdrawable'),
        },
      },
      serializerCompiler: () => (response) => JSON.stringify(response),
    },
    async (request, reply) => {
      const now = clock.now();
      const claimId = claimIdIn(request, kind);
      if (claimId === null) return sendProblem(request, reply, NOT_FOUND);
      const { ownerKey } = principalOf(request);
      const input = { kind, claimId, ...buyerAuthor(request) };
      const outcome = await database.tx((tx) => withdrawClaim(tx, ownerKey, input, now));
      return outcome.ok ? reply.send(claimView(outcome.value)) : sendProblem(request, reply, refusalOf(outcome));
    },
  );
}

/** The problem of a refused claim, with the status that the catalogue gives its code. */
function refusalOf({ code, detail }: { readonly code: ProblemCode; readonly detail?: string }): Refusal {
  const { status } = problemCatalogue[code];
  return detail === undefined ? { status, code } : { status, code, detail };
}

function paramsOf({ one, idExample }: Words) {
  return Type.Object({ id: Type.String({ description: `The id of the ${one}.`, examples: [idExample] }) });
}

/** Null for text that is not an id of this kind; it is then handled like an unknown id. */
function claimIdIn({ params }: FastifyRequest, kind: ClaimKind): ClaimId | null {
  return uuidOf(kind, (params as { id: string }).id);
}

/** The body's rules take objects only. */
function membersOf(body: unknown): Record<string, unknown> {
  return isMembers(body) ? body : {};
}
