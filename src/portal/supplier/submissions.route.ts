// A supplier's submissions in the portal: the latest, found by id, and each with all that its supplier may know of it.
import { Type } from 'typebox';

import { typeId, uuidOf } from '../../base/ids.ts';
import { callbackStates, type LoggedCallback } from '../../messages/callback-log.ts';
import type { Database } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app.ts';
import { sendProblem } from '../../platform/http/problem.ts';
import { principalOf } from '../../platform/http/scope.ts';
import { searchTextOf } from '../../platform/http/search-header.ts';
import type { CompiledFieldMapping } from '../../suppliers/field-mapping.rules.ts';
import type { SupplierConfig } from '../../suppliers/supplier.ts';
import { keptAnswer } from '../../leads/ingest-answer.rules.ts';
import {
  findSubmissions,
  type ListedSubmission,
  listSubmissions,
  submissionKinds,
} from '../../leads/list-submissions.ts';
import { readSubmission, type StoredSubmission } from '../../leads/read-submission.ts';
import { reasonsInWords } from '../../leads/reason-remedies.rules.ts';
import { statusInWords } from '../../leads/status-words.rules.ts';

export type PortalSubmissionsDependencies = {
  readonly database: Database;
  readonly supplierOf: (supplierKey: string) => {
    readonly config: Pick<SupplierConfig, 'callback'>;
    readonly mapping: CompiledFieldMapping;
  };
};

const nullable = <Of extends Parameters<typeof Type.Union>[0][number]>(type: Of) => Type.Union([type, Type.Null()]);
const Text = Type.String();
const MaybeText = nullable(Text);
const ReasonsSchema = Type.Array(Type.Object({ reason: Text, meaning: Text, remedy: Text }));

const listedSchema = {
  leadId: Text,
  externalId: MaybeText,
  receivedAt: Text,
  test: Type.Boolean(),
  status: Text,
  statusMeaning: Text,
  score: nullable(Type.Integer()),
  reasons: ReasonsSchema,
};

const PageSchema = Type.Object({
  data: Type.Array(Type.Object(listedSchema)),
  next: MaybeText,
  lookedUntil: MaybeText,
});

const SubmissionSchema = Type.Object({
  ...listedSchema,
  decidedAt: MaybeText,
  erasedAt: MaybeText,
  body: MaybeText,
  /** Null where the body is kept whole, or not kept any more. */
  bodyBytes: nullable(Type.Integer()),
  reading: Type.Object({
    fields: Type.Array(
      Type.Object({
        field: Text,
        from: MaybeText,
        isConstant: Type.Boolean(),
        sent: MaybeText,
        read: MaybeText,
        fault: MaybeText,
      }),
    ),
    extra: Type.Array(Text),
  }),
  isMapped: Type.Boolean(),
  answer: Type.Object({ status: Type.Integer(), body: Text }),
  lacking: Type.Array(Text),
  callbacks: Type.Array(
    Type.Object({
      callbackId: Text,
      type: Text,
      state: Type.Enum([...callbackStates]),
      attempts: Type.Integer(),
      responseCode: nullable(Type.Integer()),
      error: MaybeText,
      queuedAt: Text,
      triedAt: MaybeText,
    }),
  ),
  callbackEvents: nullable(Type.Array(Text)),
});

/** As long as an external id. */
const SEARCH_LENGTH_MAX = 500;

const QuerySchema = Type.Object({
  state: Type.Optional(Type.Enum([...submissionKinds])),
  reason: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  before: Type.Optional(Type.String({ maxLength: 50 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
});

export function registerPortalSubmissions(scope: App, { database, supplierOf }: PortalSubmissionsDependencies): void {
  scope.get(
    '/api/supplier/submissions',
    { schema: { querystring: QuerySchema, response: { 200: PageSchema } } },
    async (request, reply) => {
      const { state = null, reason = null, before, limit = 50 } = request.query;
      const search = searchTextOf(request, SEARCH_LENGTH_MAX);
      const { ownerKey } = principalOf(request);
      if (search !== null) {
        const wish = { search: search.trim(), limit };
        const found = await database.tx((tx) => findSubmissions(tx, ownerKey, wish));
        return reply.send({ data: found.map(listedView), next: null, lookedUntil: null });
      }
      const from = before === undefined ? null : uuidOf('lead', before);
      if (before !== undefined && from === null) {
        const errors = [{ field: 'before', code: 'invalid_format', message: 'must be the id of a lead' }];
        return sendProblem(request, reply, { status: 400, code: 'invalid_query', errors });
      }
      const wish = { kind: state, reason, before: from, limit };
      const page = await database.tx((tx) => listSubmissions(tx, ownerKey, wish));
      return reply.send({
        data: page.submissions.map(listedView),
        next: page.next === null ? null : typeId('lead', page.next),
        lookedUntil: page.lookedUntil?.toISOString() ?? null,
      });
    },
  );
  scope.get(
    '/api/supplier/submissions/:leadId',
    { schema: { params: Type.Object({ leadId: Text }), response: { 200: SubmissionSchema } } },
    async (request, reply) => {
      const { ownerKey } = principalOf(request);
      const { mapping, config } = supplierOf(ownerKey);
      const leadId = uuidOf('lead', request.params.leadId);
      const submission =
        leadId === null
          ? null
          : await database.tx((tx) => readSubmission(tx, ownerKey, { leadId, mapping }), { snapshot: true });
      if (submission === null) return sendProblem(request, reply, { status: 404, code: 'not_found' });
      return reply.send({
        ...submissionView(submission),
        isMapped: !mapping.isEmpty,
        callbackEvents: config.callback === null ? null : [...config.callback.events],
      });
    },
  );
}

function listedView({ leadId, externalId, isTest, publicStatus, reason, score, receivedAt }: ListedSubmission) {
  return {
    leadId: typeId('lead', leadId),
    externalId,
    receivedAt: receivedAt.toISOString(),
    test: isTest,
    status: publicStatus,
    statusMeaning: statusInWords(publicStatus, isTest),
    score,
    reasons: reasonsInWords(reason),
  };
}

function submissionView(submission: StoredSubmission) {
  const { reading, lacking, callbacks } = submission;
  return {
    ...listedView(submission),
    decidedAt: submission.decidedAt?.toISOString() ?? null,
    erasedAt: submission.erasedAt?.toISOString() ?? null,
    body: submission.rawBody,
    bodyBytes: submission.rawBodyBytes,
    reading,
    answer: keptAnswer(submission),
    lacking: [...lacking],
    callbacks: callbacks.map(callbackView),
  };
}

function callbackView({ messageId, queuedAt, triedAt, ...callback }: LoggedCallback) {
  return {
    callbackId: typeId('event', messageId),
    ...callback,
    queuedAt: queuedAt.toISOString(),
    triedAt: triedAt?.toISOString() ?? null,
  };
}
