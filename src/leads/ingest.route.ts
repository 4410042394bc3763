// POST /api/v1/ingest: stores a lead with its routing job before it responds, or rejects it with all its errors (contract 3.4).
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { App } from '../platform/http/app.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { MicroBatch } from '../platform/database/micro-batch.ts';
import { respondIdempotently, hasIdempotencyKey, problemResponse } from '../platform/http/idempotency.ts';
import type { Refusal } from '../platform/http/request-fault.ts';
import { PROBLEM_TYPE, sendProblem } from '../platform/http/problem.ts';
import { problemCatalogue } from '../platform/http/problem-catalogue.ts';
import { documentedProblems } from '../platform/http/problem-schema.ts';
import type { RequestTrace } from '../platform/tracing/tracing.ts';
import { principalOf } from '../platform/http/scope.ts';
import { describeSubmission } from './describe-submission.ts';
import { responseBody, CONFLICT } from './ingest-response.rules.ts';
import {
  responseTo,
  type IngestResponse,
  type IngestContext,
  type PostedBody,
  prepareSubmission,
} from './ingest-lead.ts';
import { type StoreResult, storeSubmissions, type Submission } from './store-submissions.ts';
import { type InboxWatch, OVERDUE_LEADS, OVERDUE_MS } from './inbox-watch.ts';
import { SubmissionSchema } from './submission.schema.ts';
import { takeTestLead } from './submission-limits.ts';

export type IngestDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  readonly batch: MicroBatch<Submission, StoreResult>;
  readonly contextOf: (supplierKey: string) => IngestContext;
  readonly inbox: InboxWatch;
  /** Wakes up routing and counts. */
  readonly onResponse: (kind: IngestResponse['kind']) => void;
};

const JSON_TYPE = 'application/json; charset=utf-8';

const AcceptedSchema = Type.Object(
  {
    accepted: Type.Literal(true),
    lead_id: Type.String(),
    score: Type.Integer({ minimum: 0, maximum: 100 }),
    processingTime: Type.Number({ description: 'Milliseconds.' }),
  },
  {
    $id: 'LeadAccepted',
    description: 'The lead is stored and queued for routing.',
    examples: [{ accepted: true, lead_id: 'lead_01m7xnp2vpe9rtj82p033hep4t', score: 91, processingTime: 4.118 }],
  },
);

const RejectedSchema = Type.Object(
  {
    accepted: Type.Literal(false),
    reason: Type.String({ description: 'All failed checks, joined by "; ".' }),
    processingTime: Type.Number({ description: 'Milliseconds.' }),
  },
  {
    $id: 'LeadRejected',
    description: 'The lead failed its checks. It is stored and counted as rejected.',
    examples: [{ accepted: false, reason: 'email or phone required; name required', processingTime: 2.07 }],
  },
);

const IngestProblemSchema = Type.Intersect(
  [
    Type.Ref('Problem'),
    Type.Object({
      accepted: Type.Literal(false),
      reason: Type.String({ description: 'The same as detail.' }),
      processingTime: Type.Number({ description: 'Milliseconds.' }),
    }),
  ],
  {
    $id: 'IngestProblem',
    description: 'An error response that also has the members of a rejection.',
    examples: [
      {
        type: '/docs/errors/external_id_conflict',
        title: problemCatalogue.external_id_conflict.title,
        status: 409,
        detail: CONFLICT.detail,
        code: 'external_id_conflict',
        requestId: '0b7f2d1e-6c1e-7b0e-9a53-0d8a5c1f7a10',
        accepted: false,
        reason: CONFLICT.detail,
        processingTime: 3.35,
      },
    ],
  },
);

/** Nothing was stored, so the supplier may post the same lead again. */
function inboxFull(waitSeconds: number): Refusal {
  const detail = `More than ${OVERDUE_LEADS - 1} of your leads wait to be routed, some for over ${OVERDUE_MS / 1000} seconds. Post again later.`;
  return { status: 429, code: 'rate_limited', detail, headers: { 'retry-after': String(waitSeconds) } };
}

function postedBody({ body, rawBody, trace }: FastifyRequest): PostedBody {
  return { members: body as Record<string, unknown>, text: rawBody, leadId: trace?.id };
}

type Stored = { readonly submission: Submission; readonly response: IngestResponse };

function noteResponse(
  { onResponse }: Pick<IngestDependencies, 'onResponse'>,
  trace: RequestTrace | null,
  { submission, response }: Stored,
): void {
  onResponse(response.kind);
  if (trace !== null) describeSubmission(trace, submission, response);
}

export function registerIngest(scope: App, dependencies: IngestDependencies): void {
  for (const schema of [SubmissionSchema, AcceptedSchema, RejectedSchema, IngestProblemSchema]) scope.addSchema(schema);
  scope.post(
    '/api/v1/ingest',
    {
      config: { problemSchema: 'IngestProblem' },
      schema: {
        operationId: 'submitLead',
        summary: 'Submit a lead',
        description:
          'Accepts a lead for asynchronous processing. The response is sent once the lead is durably stored; it says nothing about routing or delivery. Problem documents of this path also have `accepted` (false), `reason` and `processingTime`.',
        tags: ['Supplier'],
        body: Type.Ref('LeadSubmission'),
        response: {
          202: Type.Ref('LeadAccepted'),
          422: {
            description: 'The lead failed its checks, or one of these problems:',
            content: {
              'application/json': { schema: Type.Ref('LeadRejected') },
              [PROBLEM_TYPE]: { schema: Type.Ref('Problem') },
            },
          },
          ...documentedProblems(
            'invalid_json',
            'unauthorized',
            'supplier_not_approved',
            'external_id_conflict',
            'idempotency_in_progress',
            'body_too_large',
            'unsupported_media_type',
            'rate_limited',
            'unavailable',
          ),
        },
      },
      // Responses are serialised by `responseBody`, and `prepareSubmission` validates the body.
      serializerCompiler: () => (body) => String(body),
      validatorCompiler: () => () => true,
    },
    async (request, reply) => {
      const now = dependencies.clock.now();
      const { ownerKey } = principalOf(request);
      const waitSeconds = dependencies.inbox.waitOf(ownerKey);
      if (waitSeconds > 0) return sendProblem(request, reply, inboxFull(waitSeconds));
      const submission = prepareSubmission(postedBody(request), dependencies.contextOf(ownerKey), now);
      if (submission.isTest) {
        const problem = await takeTestLead(scope.rateLimiter, ownerKey, { nowMs: now.getTime(), reply });
        if (problem !== null) return sendProblem(request, reply, problem);
      }
      if (!hasIdempotencyKey(request)) {
        const response = responseTo(submission, await dependencies.batch.add(submission));
        noteResponse(dependencies, request.trace, { submission, response });
        if (response.kind === 'conflict') return sendProblem(request, reply, CONFLICT);
        if (response.kind === 'accepted' && response.isRepeat) reply.header('idempotent-replayed', 'true');
        return reply
          .code(response.kind === 'accepted' ? 202 : 422)
          .header('content-type', JSON_TYPE)
          .send(responseBody(response, reply.elapsedTime));
      }
      let response: IngestResponse | null = null;
      return respondIdempotently({
        database: dependencies.database,
        request,
        reply,
        now,
        async work(tx) {
          const [stored = { kind: 'stored' } as const] = await storeSubmissions(tx, [submission]);
          response = responseTo(submission, stored);
          if (response.kind === 'conflict') return problemResponse(request, reply, CONFLICT);
          const status = response.kind === 'accepted' ? 202 : 422;
          return { status, contentType: JSON_TYPE, body: responseBody(response, reply.elapsedTime) };
        },
        onCommitted() {
          if (response?.kind === 'accepted' && response.isRepeat) reply.header('idempotent-replayed', 'true');
          if (response !== null) noteResponse(dependencies, request.trace, { submission, response });
        },
      });
    },
  );
}
