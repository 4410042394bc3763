// The console's log of messages to partners: every attempt, newest or oldest first, one attempt in detail, and its request (contract 7.8).
import { timeOfId } from '../base/id-time.ts';
import { typeId, uuidOf } from '../base/ids.ts';
import { instantOf } from '../base/rfc3339.ts';
import { attemptView, withoutAbandoned } from '../deliveries/attempt-view.rules.ts';
import { findMessage, type MessageFilter, pageMessages, sumMessages } from '../deliveries/find-messages.ts';
import { codeRange, type MessageRow, outcomeOf } from '../deliveries/message-outcome.rules.ts';
import { judgeRedelivery } from '../deliveries/redelivery/request-redelivery.ts';
import { rebuildRequest } from '../deliveries/test-delivery/rebuild-request.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { ListSumsSchema } from '../platform/http/list-sums.schema.ts';
import { LIST_SUMS_MAX, listSums } from '../platform/http/list-sums.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { NOT_FOUND } from '../platform/http/request-fault.ts';
import { readCursor } from '../platform/http/validation.ts';
import {
  AttemptParams,
  type Message,
  MessageDetailSchema,
  type MessageFilters,
  MessageFiltersSchema,
  MessagesQuerySchema,
  MessagesSchema,
  SentRequestSchema,
} from './messages.schema.ts';

export type ConsoleMessagesDependencies = {
  readonly database: Database;
  /** For lists. */
  readonly reads: Database;
  readonly clock: Clock;
  /** Null if closed. */
  readonly buyerOf: (buyerKey: string) => { readonly name: string } | null;
  readonly currency: () => string;
};

const PAGE = 50;

export function registerConsoleMessages(scope: App, dependencies: ConsoleMessagesDependencies): void {
  registerList(scope, dependencies);
  registerSums(scope, dependencies);
  registerDetail(scope, dependencies);
  registerRequest(scope, dependencies);
}

function registerList(scope: App, dependencies: ConsoleMessagesDependencies): void {
  const { reads, clock } = dependencies;
  scope.get(
    '/api/messages',
    {
      // A partner's words in an error may quote the person.
      config: { permission: 'read', reveals: 'record', personMembers: ['error'] },
      schema: { querystring: MessagesQuerySchema, response: { 200: MessagesSchema } },
    },
    async (request, reply) => {
      const now = clock.now();
      const seen = readCursor('before', request.query.before, (id) => uuidOf('attempt', id));
      const query = { filter: filterOf(request.query), seen, isOldestFirst: request.query.sort === 'at', limit: PAGE };
      const { rows, next } = await reads.tx((tx) => pageMessages(tx, query), { snapshot: true });
      return reply.send({
        data: rows.map((row) => viewOf(row, dependencies, now)),
        next: next === null ? null : typeId('attempt', next),
        backTo: next === null ? null : timeOfId(next).toISOString(),
      });
    },
  );
}

/** What the log shows under the same filters, on all of its pages. */
function registerSums(scope: App, { reads, currency }: ConsoleMessagesDependencies): void {
  scope.get(
    '/api/messages/sums',
    {
      config: { permission: 'read', reveals: 'record' },
      schema: { querystring: MessageFiltersSchema, response: { 200: ListSumsSchema } },
    },
    async (request, reply) => {
      const filter = filterOf(request.query);
      const { rows, isAll, succeeded, failed } = await reads.tx(
        (tx) => sumMessages(tx, { filter, limit: LIST_SUMS_MAX + 1 }),
        { snapshot: true },
      );
      return reply.send(listSums({ rows, isAll, counts: { succeeded, failed }, currency: currency() }));
    },
  );
}

function registerDetail(scope: App, dependencies: ConsoleMessagesDependencies): void {
  const { database, clock } = dependencies;
  scope.get(
    '/api/messages/:attemptId',
    {
      config: { permission: 'read', reveals: 'record', personMembers: ['error'] },
      schema: { params: AttemptParams, response: { 200: MessageDetailSchema } },
    },
    async (request, reply) => {
      const attemptId = uuidOf('attempt', request.params.attemptId);
      const found = await database.tx(
        async (tx) => {
          const row = attemptId === null ? null : await findMessage(tx, attemptId);
          if (row === null) return null;
          const [judged] = row.deliveryId === null ? [] : await judgeRedelivery(tx, null, [row.deliveryId]);
          return { row, refusal: judged === undefined || judged.ok ? null : judged.reason };
        },
        { snapshot: true },
      );
      if (found === null) return sendProblem(request, reply, NOT_FOUND);
      const { row, refusal } = found;
      const { responseSnippet, deliveryStatus } = row;
      return reply.send({ ...viewOf(row, dependencies, clock.now()), responseSnippet, deliveryStatus, refusal });
    },
  );
}

/** What a template makes of a person's data cannot be masked: it is for operators who may read it, as on the page of the lead. */
function registerRequest(scope: App, { database }: ConsoleMessagesDependencies): void {
  scope.get(
    '/api/messages/:attemptId/request',
    {
      config: { permission: 'persons', reveals: 'record' },
      schema: { params: AttemptParams, response: { 200: SentRequestSchema } },
    },
    async (request, reply) => {
      const attemptId = uuidOf('attempt', request.params.attemptId);
      const found = await database.tx(
        async (tx) => {
          const row = attemptId === null ? null : await findMessage(tx, attemptId);
          return row === null ? null : { row, rebuilt: await rebuildRequest(tx, row) };
        },
        { snapshot: true },
      );
      if (found === null) return sendProblem(request, reply, NOT_FOUND);
      const { row, rebuilt } = found;
      const leadId = row.leadId === null ? null : typeId('lead', row.leadId);
      if (!rebuilt.ok) {
        return reply.send({ leadId, request: null, isStandard: false, why: rebuilt.why, error: rebuilt.error });
      }
      const { headers, ...rest } = rebuilt.request;
      const { isStandard } = rebuilt;
      return reply.send({ leadId, request: { ...rest, headers: { ...headers } }, isStandard, why: null, error: null });
    },
  );
}

function viewOf(stored: MessageRow, { buyerOf }: ConsoleMessagesDependencies, now: Date): Message {
  const row = { ...stored, ...withoutAbandoned(stored, now) };
  const { attemptId, at, channel, target, deliveryId, deliveryRef, attempt, responseCode, latencyMs, error } =
    attemptView(row);
  return {
    ...{ attemptId, at, channel, target, deliveryId, deliveryRef, attempt, responseCode, latencyMs, error },
    type: row.isTest ? 'lead.test' : (row.messageType ?? 'lead.delivered'),
    partner: row.buyerKey,
    partnerName: buyerOf(row.buyerKey)?.name ?? row.buyerKey,
    leadId: row.leadId === null ? null : typeId('lead', row.leadId),
    outcome: outcomeOf(row),
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
  };
}

function filterOf({ partner, channel, outcome, status, type, about, from, to }: MessageFilters): MessageFilter {
  const codes = status === undefined ? null : codeRange(status);
  return {
    buyerKey: partner ?? null,
    channel: channel ?? null,
    outcome: outcome ?? null,
    type: type ?? null,
    codeFrom: codes?.codeFrom ?? null,
    codeTo: codes?.codeTo ?? null,
    about: about ?? null,
    from: from === undefined ? null : instantOf(from),
    to: to === undefined ? null : instantOf(to),
  };
}
