// The console's dead letters: jobs that failed permanently, and retrying one or several (contract 7.2).
import { appendAudit } from '../audit/append-audit.ts';
import type { AuditAuthor } from '../audit/audit-event.ts';
import { requestAuthor } from '../audit/request-author.ts';
import { typeId, uuidOf } from '../base/ids.ts';
import { positionOf, positionText } from '../base/time-position.ts';
import type { JobName } from '../jobs.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { respondIdempotently, jsonResponse, problemResponse } from '../platform/http/idempotency.ts';
import { ListSumsSchema } from '../platform/http/list-sums.schema.ts';
import { LIST_SUMS_MAX, listSums } from '../platform/http/list-sums.ts';
import { readCursor } from '../platform/http/validation.ts';
import { countDead, countDeadByName, deadJobGroups, pageDeadJobs, takeDeadJobs } from '../platform/queue/dead-jobs.ts';
import { retryDeadJob } from '../routing/retry-dead-job.ts';
import {
  type DeadJob,
  DeadJobFiltersSchema,
  DeadJobsQuerySchema,
  DeadJobsSchema,
  JobParams,
  type RetriedJob,
  RetriedJobSchema,
  type RetriedJobs,
  RetriedJobsSchema,
  RetryJobsBody,
} from './jobs.schema.ts';
import type { ListedDeadJob, DeadJobFilter } from '../platform/queue/dead-job.ts';

export type ConsoleJobsDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  readonly currency: () => string;
};

const PAGE = 50;
/** Takes less than a second; the client repeats the request for more. */
const RETRIED_AT_ONCE = 500;

export function registerConsoleJobs(scope: App, dependencies: ConsoleJobsDependencies): void {
  registerList(scope, dependencies);
  registerSums(scope, dependencies);
  registerRetry(scope, dependencies);
  registerRetryMany(scope, dependencies);
}

function registerList(scope: App, { database }: ConsoleJobsDependencies): void {
  scope.get(
    '/api/jobs',
    {
      config: { permission: 'read' },
      schema: {
        querystring: DeadJobsQuerySchema,
        response: { 200: DeadJobsSchema },
      },
    },
    async (request, reply) => {
      const after = readCursor('after', request.query.after, (text) => positionOf(['event'], text));
      const isOldestFirst = request.query.sort === 'failed';
      const query = { filter: filterOf(request.query), after, isOldestFirst, limit: PAGE };
      const [jobs, groups] = await database.tx(
        (tx) => Promise.all([pageDeadJobs(tx, query), after === null ? deadJobGroups(tx) : []]),
        { snapshot: true },
      );
      const last = jobs.length === PAGE ? jobs.at(-1) : undefined;
      return reply.send({
        data: jobs.map(viewOf),
        next: last === undefined ? null : positionText(last.failedAt, typeId('event', last.jobId)),
        groups: groups.map(({ ownerKey: owner, latestAt, ...group }) => ({
          ...group,
          owner,
          latestAt: latestAt.toISOString(),
        })),
      });
    },
  );
}

/** How many dead letters there are under the same filters, by the job. */
function registerSums(scope: App, { database, currency }: ConsoleJobsDependencies): void {
  scope.get(
    '/api/jobs/sums',
    {
      config: { permission: 'read' },
      schema: { querystring: DeadJobFiltersSchema, response: { 200: ListSumsSchema } },
    },
    async (request, reply) => {
      const filter = filterOf(request.query);
      const byName = await database.tx((tx) => countDeadByName(tx, filter, LIST_SUMS_MAX + 1));
      const rows = [...byName.values()].reduce((sum, jobs) => sum + jobs, 0);
      return reply.send(listSums({ rows, counts: Object.fromEntries(byName), currency: currency() }));
    },
  );
}

function registerRetry(scope: App, { database, clock }: ConsoleJobsDependencies): void {
  scope.post(
    '/api/jobs/:jobId/retry',
    {
      config: { permission: 'operate', emptyBody: true },
      attachValidation: true,
      schema: { params: JobParams, response: { 200: RetriedJobSchema } },
    },
    async (request, reply) => {
      const now = clock.now();
      const { jobId: id } = request.params;
      const by = requestAuthor(request);
      return respondIdempotently({
        ...{ database, request, reply, now },
        async work(tx) {
          const jobId = uuidOf('event', id);
          const outcome = jobId === null ? null : await retryDeadJob(tx, jobId, now);
          if (outcome === null || !outcome.ok)
            return problemResponse(request, reply, { status: 404, code: 'not_found', detail: GONE });
          await recordRetries(tx, [{ id, name: outcome.value.name }], by, now);
          return jsonResponse(200, { jobId: id, name: outcome.value.name, retried: true } satisfies RetriedJob);
        },
      });
    },
  );
}

const GONE = 'This dead letter no longer exists. It may have been retried already.';

function registerRetryMany(scope: App, { database, clock }: ConsoleJobsDependencies): void {
  scope.post(
    '/api/jobs/retry',
    {
      config: { permission: 'operate' },
      attachValidation: true,
      schema: { body: RetryJobsBody, response: { 200: RetriedJobsSchema } },
    },
    async (request, reply) => {
      const now = clock.now();
      const by = requestAuthor(request);
      return respondIdempotently({
        ...{ database, request, reply, now },
        async work(tx) {
          const filter = filterOf(request.body);
          const retried: Array<{ id: string; name: JobName }> = [];
          for (const jobId of await takeDeadJobs(tx, filter, RETRIED_AT_ONCE)) {
            const outcome = await retryDeadJob(tx, jobId, now);
            if (outcome.ok) retried.push({ id: typeId('event', jobId), name: outcome.value.name });
          }
          await recordRetries(tx, retried, by, now);
          const remaining = await countDead(tx, filter, RETRIED_AT_ONCE);
          return jsonResponse(200, { retried: retried.length, remaining } satisfies RetriedJobs);
        },
      });
    },
  );
}

async function recordRetries(
  tx: Tx,
  jobs: ReadonlyArray<{ readonly id: string; readonly name: JobName }>,
  { actor, origin }: AuditAuthor,
  now: Date,
): Promise<void> {
  await appendAudit(
    tx,
    jobs.map(({ id, name }) => ({
      at: now,
      actor,
      buyerKey: null,
      supplierKey: null,
      action: 'job.retried',
      target: id,
      changes: { job: { from: null, to: name } },
      ...origin,
    })),
  );
}

function filterOf({ name, owner, error }: { name?: JobName; owner?: string; error?: string }): DeadJobFilter {
  return { name: name ?? null, ownerKey: owner ?? null, error: error ?? null };
}

function viewOf(job: ListedDeadJob): DeadJob {
  const { name, attempts, error, failedAt } = job;
  const common = { jobId: typeId('event', job.jobId), name, attempts, error, failedAt: failedAt.toISOString() };
  if (job.name === 'route-lead') return { ...common, leadId: typeId('lead', job.payload.leadId), message: null };
  const { type, ownerKind, ownerKey, channel, deliveryId, occurredAt } = job.payload;
  const message = { type, ownerKind, ownerKey, channel, occurredAt };
  return {
    ...common,
    leadId: null,
    message: { ...message, deliveryId: deliveryId === null ? null : typeId('delivery', deliveryId) },
  };
}
