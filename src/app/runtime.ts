// Composes one process: the current configuration, the API, the workers, and the order in which they stop. Besides the table of
// routes the only file that knows all slices.
import { strict as assert } from 'node:assert';
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from 'pino';
import { buildApp } from './api.ts';
import { createAuthenticator } from '../credentials/authenticator.ts';
import { returnRates } from '../deliveries/count-deliveries.ts';
import { withInboxes } from '../demo/allowed-targets.ts';
import { createRefusedBodyLimit } from '../leads/submission-limits.ts';
import { storeSubmissions, type StoreResult, type Submission } from '../leads/store-submissions.ts';
import { type ConfigWatch, createConfigWatch } from '../marketplace/config-watch.ts';
import { readPersonPepper } from '../marketplace/stored-settings.ts';
import type { StoredSettings } from '../marketplace/settings.ts';
import { currentOf, holdCurrentConfig } from './current-config.ts';
import { openMeasuredReads } from './measured-reads.ts';
import type { SecretKeys } from '../platform/secrets/secret-keys.ts';
import { openIntegrations, type IntegrationConfig } from './integrations.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { createFaultLog } from '../platform/fault-log.ts';
import { createMicroBatch, type MicroBatch } from '../platform/database/micro-batch.ts';
import type { Replica } from '../platform/database/replica.ts';
import type { Wall } from '../platform/database/tenant.ts';
import type { App } from '../platform/http/app.ts';
import { announceEnd, closeWithin } from '../platform/http/drain.ts';
import { createCharger } from '../platform/http/charge-buckets.ts';
import { createRateLimiter, type RateLimiter } from '../platform/http/rate-limit.ts';
import { createSharedBuckets } from '../platform/http/shared-buckets.ts';
import { createMetrics, type Metrics } from '../platform/metrics.ts';
import { createProcessCounts } from '../platform/processes/process-counts.ts';
import { type ProcessReport, startProcessReport } from '../platform/processes/report-process.ts';
import { openTracing } from '../platform/tracing/open-tracing.ts';
import type { TracingConfig } from '../platform/tracing/tracing-config.rules.ts';
import type { Tracing } from '../platform/tracing/tracing.ts';
import { createWakeups, TOPICS, type Wakeups } from '../platform/queue/wakeups.ts';
import { createSessionKeeper } from '../sessions/session-keeper.ts';
import { countEvents } from './runtime-metrics.ts';
import { createSimulations } from '../simulation/simulations.ts';
import { watchState } from './state-metrics.ts';
import { buildStatusApp } from './status-app.ts';
import { startWorkers, type Workers } from './workers.ts';

export type Role = 'all' | 'api' | 'worker';

export type RuntimeOptions = {
  readonly database: Database;
  /** For connections outside the pool. */
  readonly connection: pg.ClientConfig;
  readonly role: Role;
  /** Null in a worker process: workers read all partners' rows. */
  readonly wall: Wall | null;
  /** Whether no other process uses the database; a single process wakes its own workers. */
  readonly isAlone: boolean;
  readonly clock: Clock;
  readonly log: Logger;
  /** Exact origins that are exempt from the target rules. */
  readonly allowTargets: readonly string[];
  /** A standby that reports, exports and searches are read from; null for none. */
  readonly replica: Replica | null;
  /** Whether a demo in the database is active in this process. */
  readonly mayDemo: boolean;
  /** The operator's mail server, SMS provider and Google account. */
  readonly integrations: IntegrationConfig;
  /** The keys of partners' named secrets. */
  readonly secretKeys: SecretKeys;
  readonly trustProxy: readonly string[];
  /** Names besides the public address under which pages may be used. */
  readonly allowedHosts: readonly string[];
  /** Whether health and metrics have a separate port. */
  readonly hasStatusPort: boolean;
  readonly requireTotp: boolean;
  /** Null for none. */
  readonly tracing: TracingConfig | null;
  /** The number of rejected submissions per supplier and day whose body is kept. */
  readonly refusedBodiesADay: number;
  /** False in tests that run scheduled jobs by hand. */
  readonly withScheduledJobs: boolean;
  /** False in tests, which start many applications with few requests each: their table of routes is not compiled. */
  readonly compilesRoutes?: boolean;
  /** For tests of the console's overview: nothing in it is cached for longer. */
  readonly overviewMaxAgeMs?: number;
};

export type Runtime = {
  /** Null in a worker process. */
  readonly app: App | null;
  /** The application of the separate status port; null without one. */
  readonly status: App | null;
  readonly workers: Workers | null;
  /** Applies a change of configuration in this process now instead of within a second. */
  refresh(): Promise<void>;
  /** Has the workers of this process look for what is due now rather than within a second: for a clock that jumps. */
  wake(): void;
  /**
   * Stops the workers and turns readiness to 503. Requests are served until `announced` resolves, which gives load balancers time;
   * then new ones are rejected, running ones finish, and everything but the database is closed.
   */
  drain(options?: { readonly announced?: Promise<unknown> }): Promise<void>;
};

/** The time for running requests; an ingest waits for one commit, so nearly all of it is for slow clients. */
const FINISH_WITHIN_MS = 8000;
const STATUS_WITHIN_MS = 1000;
/** Where the look for due work reads the version each second: only for a change whose listeners failed. */
const WATCH_EVERY_MS = 3000;
/** The supplier's part of the score changes slowly. */
const RETURN_RATES_EVERY_MS = 60_000;

export async function startRuntime(options: RuntimeOptions): Promise<Runtime> {
  // Opened parts are closed in reverse order: at the end, and also when a later step of the start fails.
  const opened = new AsyncDisposableStack();
  try {
    return await open(options, opened);
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

async function open(options: RuntimeOptions, opened: AsyncDisposableStack): Promise<Runtime> {
  const { database, clock, log, role, wall } = options;
  const onFault = createFaultLog(log, clock);
  const counts = createProcessCounts(clock);
  const registered = createMetrics();
  const metrics = { ...registered, http: counts.metered(registered.http) };
  const events = countEvents(metrics, counts);
  const tracing = await openTraces(options, registered, opened);
  // So early that it stops after all others and its report covers everything.
  const report = await startProcessReport({ database, clock, role, counts, log, onFault });
  opened.defer(() => report.stop());
  watchState(registered, { database, clock, report, onFault });
  const status = options.hasStatusPort ? buildStatusApp({ database, log, metrics: registered }) : null;
  opened.defer(() => (status === null ? undefined : closeWithin(status, STATUS_WITHIN_MS)));
  const watch = createConfigWatch({ database, onFault, ...(role === 'api' ? {} : { intervalMs: WATCH_EVERY_MS }) });
  opened.defer(() => watch.close());
  const wakeups = createWakeups({ database, acrossProcesses: !options.isAlone, onFault });
  opened.defer(() => wakeups.close());
  const currentConfig = holdCurrentConfig(watch, database);
  await watch.refresh();
  const current = currentOf(currentConfig);

  const settings = (): StoredSettings => currentConfig.settings.current();
  const demoOrigin = (): string | null => (options.mayDemo ? settings().demoOrigin : null);
  const isDemo = (): boolean => demoOrigin() !== null;
  const allowTargets = withInboxes(options.allowTargets, demoOrigin);
  const integrations = await openIntegrations({ ...options, allowTargets, settings: () => settings().settings });
  opened.defer(() => integrations.close());
  const batch = batchSubmissions(database);
  opened.defer(() => batch.drain());
  const workers =
    role === 'api'
      ? null
      : await startWorkers({
          ...{ ...options, wakeups, events, onFault, integrations, tracing, settings: () => settings().settings },
          ...{ watch, isIngesting: () => batch.pending() > 0 },
          ...{ accountNameOf: current.accountNameOf, hasMailServer: options.integrations.smtpUrl !== null },
        });
  opened.defer(() => workers?.stop());
  if (role === 'worker') return runtime(null, { status, workers, watch, wakeups, opened });
  assert(wall !== null, 'a process that serves partners has not checked the second wall');

  const reads = opened.adopt(openMeasuredReads(options, metrics), ({ close }) => close());
  const rates = await followReturnRates(database, { clock, onFault });
  opened.defer(rates.close);
  const authenticator = opened.adopt(createAuthenticator({ database, clock, onFault }), ({ close }) => close());
  const sessions = createSessionKeeper({ database, clock, onFault, isDemo });
  opened.defer(() => sessions.close());
  const simulations = opened.adopt(createSimulations({ ...options, allowTargets, onFault }), ({ close }) => close());
  const app = await buildApp({
    ...options,
    reads,
    wall,
    allowTargets,
    channels: integrations.channels,
    openId: integrations.openId,
    ...{ mailer: integrations.mailer, hasMailServer: options.integrations.smtpUrl !== null },
    onQueued: () => wakeups.wake('sending'),
    metrics,
    rateLimiter: openRateLimiter(options, { report, onFault, opened }),
    ...{ authenticator, sessions, simulations, batch, tracing },
    onUntrustedProxy(address) {
      log.warn(
        { peer: address },
        'a proxy sends X-Forwarded-For and TRUST_PROXY does not name it: all callers count as one',
      );
      report.metUntrustedProxy(address);
    },
    isDemo,
    refresh: () => watch.refresh(),
    ...current,
    personPepper: await database.tx(readPersonPepper),
    ...{ serviceAccountEmail: integrations.sheets.email, sheetNameOf: integrations.sheets.sheetName },
    returnRateOf: rates.of,
    refusedBodies: createRefusedBodyLimit(options.refusedBodiesADay),
    onResponse(kind) {
      events.ingest(kind);
      if (kind === 'accepted') wakeups.wake('routing');
    },
  });
  opened.defer(() => closeWithin(app, FINISH_WITHIN_MS));
  return runtime(app, { status, workers, watch, wakeups, opened });
}

type Parts = {
  readonly status: App | null;
  readonly workers: Workers | null;
  readonly watch: ConfigWatch;
  readonly wakeups: Wakeups;
  readonly opened: AsyncDisposableStack;
};

function runtime(app: App | null, { status, workers, watch, wakeups, opened }: Parts): Runtime {
  return {
    app,
    status,
    workers,
    async refresh() {
      await watch.refresh();
    },
    wake() {
      for (const topic of TOPICS) wakeups.wakeHere(topic);
    },
    async drain({ announced } = {}) {
      for (const server of [app, status]) if (server !== null) announceEnd(server);
      // During the announcement: leads that arrive are stored, and the next worker routes them. Closing below awaits the same
      // stop and rejects if it failed.
      workers?.stop().catch(() => undefined);
      if (app !== null) await announced;
      await opened.disposeAsync();
    },
  };
}

/** Opened before all that is traced, so that it exports the last spans when the rest has stopped. */
async function openTraces(
  { tracing: config, role, log, clock }: RuntimeOptions,
  { registry }: Metrics,
  opened: AsyncDisposableStack,
): Promise<Tracing | null> {
  const resource = { 'leadmarket.role': role, 'service.instance.id': randomUUID() };
  const onFault = createFaultLog(log, clock, 'traces not exported');
  const tracing = await openTracing(config, { registry, resource, onFault });
  opened.defer(() => tracing?.close());
  return tracing;
}

type LimiterParts = {
  readonly report: ProcessReport;
  readonly onFault: (error: unknown) => void;
  readonly opened: AsyncDisposableStack;
};

/** Limits hold over all processes that serve requests; without others none of it touches the database. */
function openRateLimiter(
  { database, clock, isAlone }: RuntimeOptions,
  { report, onFault, opened }: LimiterParts,
): RateLimiter {
  const buckets = createSharedBuckets({
    ...{ clock, onFault },
    processes: isAlone ? () => 1 : report.serving,
    exchange: createCharger({ database, clockAheadMs: report.clockAheadMs }),
  });
  opened.defer(() => buckets.close());
  return createRateLimiter(buckets);
}

async function followReturnRates(
  database: Database,
  { clock, onFault }: { clock: Clock; onFault: (error: unknown) => void },
): Promise<{ of: (supplierKey: string) => number; close: () => void }> {
  let rates: ReadonlyMap<string, number> = new Map();
  const refresh = async (): Promise<void> => {
    rates = await database.tx((tx) => returnRates(tx, clock.now()));
  };
  await refresh();
  const timer = setInterval(() => void refresh().catch(onFault), RETURN_RATES_EVERY_MS);
  timer.unref();
  return { of: (supplierKey) => rates.get(supplierKey) ?? 0, close: () => clearInterval(timer) };
}

/** A single statement is its own transaction: BEGIN and COMMIT would cost two round trips per flush. */
function batchSubmissions(database: Database): MicroBatch<Submission, StoreResult> {
  return createMicroBatch({ flush: (items) => storeSubmissions({ query: database.query }, items) });
}
