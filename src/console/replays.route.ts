// Replays at the console: the dry count of a window, starting a replay of it, the latest ones with their progress, and stopping one
// (contract 6.4).
import { requestAuthor } from '../audit/request-author.ts';
import { typeId, uuidOf } from '../base/ids.ts';
import { instantOf } from '../base/rfc3339.ts';
import { readBuyer } from '../buyers/read-buyers.ts';
import type { ReplayRow } from '../deliveries/redelivery/replay.ts';
import {
  listReplays,
  planReplay,
  REPLAYED_AT_MOST,
  type ReplayWindow as Window,
  startReplay,
  stopReplay,
} from '../deliveries/redelivery/replays.ts';
import { type RedeliveryCause, redeliveryCauses } from '../deliveries/redelivery/redelivery-cause.rules.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { jsonResponse, problemResponse, respondIdempotently } from '../platform/http/idempotency.ts';
import { sendProblem } from '../platform/http/problem.ts';
import type { Refusal } from '../platform/http/request-fault.ts';
import {
  type Replay,
  ReplayParams,
  ReplayPlanSchema,
  ReplaySchema,
  ReplaysSchema,
  type ReplayWindow,
  ReplayWindowSchema,
  type StoppedReplay,
  StoppedReplaySchema,
} from './replays.schema.ts';

export type ConsoleReplaysDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  /** Null if closed. */
  readonly buyerOf: (buyerKey: string) => { readonly name: string } | null;
};

const LISTED = 20;
const NO_PARTNER: Refusal = { status: 404, code: 'not_found', detail: 'There is no such partner.' };
const OVER: Refusal = { status: 404, code: 'not_found', detail: 'This replay is over already.' };
const TOO_LARGE = `makes more than ${REPLAYED_AT_MOST} deliveries: choose a shorter time`;
const REFUSALS: Readonly<Record<'replay_running' | 'replay_too_large', Refusal>> = {
  replay_running: { status: 409, code: 'already_running', detail: 'A replay of this partner is still running.' },
  replay_too_large: {
    status: 422,
    code: 'validation_failed',
    errors: [{ field: 'until', code: 'invalid_value', message: TOO_LARGE }],
  },
};

export function registerConsoleReplays(scope: App, dependencies: ConsoleReplaysDependencies): void {
  registerPlan(scope, dependencies);
  registerStart(scope, dependencies);
  registerList(scope, dependencies);
  registerStop(scope, dependencies);
}

function registerPlan(scope: App, { database }: ConsoleReplaysDependencies): void {
  scope.get(
    '/api/replays/plan',
    {
      config: { permission: 'operate' },
      schema: { querystring: ReplayWindowSchema, response: { 200: ReplayPlanSchema } },
    },
    async (request, reply) => {
      const window = windowOf(request.query);
      const plan = await database.tx(
        async (tx) => ((await readBuyer(tx, window.buyerKey)) === null ? null : planReplay(tx, window)),
        { snapshot: true },
      );
      if (plan === null) return sendProblem(request, reply, NO_PARTNER);
      return reply.send({ ...plan, skipped: skippedOf(Object.fromEntries(plan.skipped)), atMost: REPLAYED_AT_MOST });
    },
  );
}

function registerStart(scope: App, { database, clock, buyerOf }: ConsoleReplaysDependencies): void {
  scope.post(
    '/api/replays',
    {
      config: { permission: 'operate' },
      attachValidation: true,
      schema: { body: ReplayWindowSchema, response: { 200: ReplaySchema } },
    },
    async (request, reply) => {
      const now = clock.now();
      const author = requestAuthor(request);
      return respondIdempotently({
        ...{ database, request, reply, now },
        async work(tx) {
          const window = windowOf(request.body);
          if ((await readBuyer(tx, window.buyerKey)) === null) return problemResponse(request, reply, NO_PARTNER);
          const started = await startReplay(tx, { window, author }, now);
          return started.ok
            ? jsonResponse(200, viewOf(started.replay, buyerOf))
            : problemResponse(request, reply, REFUSALS[started.code]);
        },
      });
    },
  );
}

function registerList(scope: App, { database, buyerOf }: ConsoleReplaysDependencies): void {
  scope.get(
    '/api/replays',
    { config: { permission: 'read' }, schema: { response: { 200: ReplaysSchema } } },
    async (_request, reply) => {
      const rows = await listReplays(database, LISTED);
      return reply.send({ data: rows.map((row) => viewOf(row, buyerOf)) });
    },
  );
}

function registerStop(scope: App, { database, clock }: ConsoleReplaysDependencies): void {
  scope.post(
    '/api/replays/:replayId/stop',
    {
      config: { permission: 'operate', emptyBody: true },
      attachValidation: true,
      schema: { params: ReplayParams, response: { 200: StoppedReplaySchema } },
    },
    async (request, reply) => {
      const now = clock.now();
      const author = requestAuthor(request);
      const { replayId: id } = request.params;
      const replayId = uuidOf('replay', id);
      return respondIdempotently({
        ...{ database, request, reply, now },
        async work(tx) {
          const isStopped = replayId !== null && (await stopReplay(tx, replayId, author, now));
          return isStopped
            ? jsonResponse(200, { replayId: id, stopped: true } satisfies StoppedReplay)
            : problemResponse(request, reply, OVER);
        },
      });
    },
  );
}

function windowOf({ partner, from, until, status }: ReplayWindow): Window {
  return { buyerKey: partner, from: instantOf(from), until: instantOf(until), status };
}

/** In the order in which causes are checked. */
function skippedOf(counts: Readonly<Partial<Record<string, number>>>): Array<{
  cause: RedeliveryCause;
  deliveries: number;
}> {
  return redeliveryCauses.flatMap((cause) => {
    const deliveries = counts[cause] ?? 0;
    return deliveries === 0 ? [] : [{ cause, deliveries }];
  });
}

function viewOf(row: ReplayRow, buyerOf: ConsoleReplaysDependencies['buyerOf']): Replay {
  const { replayId, buyerKey, operator, status, from, until, planned, state, queued, skipped } = row;
  return {
    ...{ operator, status, planned, state, queued },
    replayId: typeId('replay', replayId),
    partner: buyerKey,
    partnerName: buyerOf(buyerKey)?.name ?? buyerKey,
    from: from.toISOString(),
    until: until.toISOString(),
    skipped: skippedOf(skipped),
    createdAt: row.createdAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
  };
}
