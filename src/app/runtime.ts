// Puts the house together for one process: what is in force, the API, the workers, and the order in which they end. The only
// place that knows all slices at once besides the table of routes.
import { strict as assert } from 'node:assert';
import type pg from 'pg';
import type { Logger } from 'pino';
import { buildApp } from './api.ts';
import { readBuyers } from '../buyers/read-buyers.ts';
import { createAuthenticator } from '../credentials/authenticator.ts';
import { returnRates } from '../deliveries/count-deliveries.ts';
import { withInboxes } from '../demo/allowed-targets.ts';
import { createRefusedBodyLimit } from '../leads/submission-limits.ts';
import { storeSubmissions, type StoreResult, type Submission } from '../leads/store-submissions.ts';
import { type ConfigWatch, createConfigWatch } from '../marketplace/config-watch.ts';
import { keepCurrent } from '../marketplace/current-config.ts';
import { readPersonPepper, readSettings } from '../marketplace/read-settings.ts';
import type { MarketplaceSettings, StoredSettings } from '../marketplace/settings.ts';
import { openIntegrations, type IntegrationConfig } from './integrations.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { createFaultLog } from '../platform/fault-log.ts';
import { createMicroBatch } from '../platform/database/micro-batch.ts';
import type { Wall } from '../platform/database/tenant.ts';
import type { App } from '../platform/http/app.ts';
import { announceEnd, closeWithin } from '../platform/http/drain.ts';
import { createMetrics } from '../platform/metrics.ts';
import { createProcessCounts } from '../platform/processes/process-counts.ts';
import { startProcessReport } from '../platform/processes/report-process.ts';
import { createWakeups, TOPICS, type Wakeups } from '../platform/queue/wakeups.ts';
import { createSessionKeeper } from '../sessions/session-keeper.ts';
import { compileFieldMapping } from '../suppliers/field-mapping.rules.ts';
import { readSuppliers } from '../suppliers/read-suppliers.ts';
import { countEvents } from './runtime-metrics.ts';
import { createSimulations } from '../simulation/simulations.ts';
import { watchState } from './state-metrics.ts';
import { buildStatusApp } from './status-app.ts';
import { startWorkers, type Workers } from './workers.ts';

export type Role = 'all' | 'api' | 'worker';

export type RuntimeOptions = {
  readonly database: Database;
  /** For the connections that live outside of the pool. */
  readonly connection: pg.ClientConfig;
  readonly role: Role;
  /** Null in a process that only works: workers have all partners' rows to see. */
  readonly wall: Wall | null;
  /** Whether other processes may use the same database; a lone one wakes its workers by itself. */
  readonly isAlone: boolean;
  readonly clock: Clock;
  readonly log: Logger;
  /** Exact origins that the target rules do not hold for. */
  readonly allowTargets: readonly string[];
  /** Whether a demo that the database holds works in this process. */
  readonly mayDemo: boolean;
  /** The operator's mail server, SMS provider and Google account. */
  readonly integrations: IntegrationConfig;
  readonly trustProxy: readonly string[];
  /** Whether health and metrics are served on a port of their own. */
  readonly hasStatusPort: boolean;
  readonly requireTotp: boolean;
  /** How many refused submissions of a supplier keep their body. */
  readonly refusedBodiesADay: number;
  /** Tests with many services on one machine run scheduled jobs by hand. */
  readonly withScheduledJobs: boolean;
  /** For tests of the console's overview: nothing in it is cached for longer. */
  readonly overviewMaxAgeMs?: number;
};

export type Runtime = {
  /** Null in a process that only works. */
  readonly app: App | null;
  /** Health and metrics of this process, for a port of its own; null where none was asked for. */
  readonly status: App | null;
  readonly workers: Workers | null;
  /** Makes a change of configuration act in this process now rather than within a second. */
  refresh(): Promise<void>;
  /** Has the workers of this process look for what is due now rather than within a second: for a clock that jumps. */
  wake(): void;
  /**
   * Nothing new is worked on and readiness is 503. Requests are served until `announced` resolves, for which load balancers need
   * the time; then new ones are refused, those under way answered, and everything is closed but the database.
   */
  drain(options?: { readonly announced?: Promise<unknown> }): Promise<void>;
};

/** Requests under way get this long; an ingest waits for one commit, so nearly all of it is for slow clients. */
const ANSWER_WITHIN_MS = 8000;
const STATUS_WITHIN_MS = 1000;
/** The score's part for the supplier moves slowly. */
const RETURN_RATES_EVERY_MS = 60_000;

export async function startRuntime(options: RuntimeOptions): Promise<Runtime> {
  // What has been opened is closed in reverse order: at the end, and also when a later step of the start fails.
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
  // First, so that it ends last and tells of everything.
  const report = await startProcessReport({ database, clock, role, counts, log, onFault });
  opened.defer(() => report.stop());
  watchState(registered, { database, clock, report, onFault });
  const status = options.hasStatusPort ? buildStatusApp({ database, log, metrics: registered }) : null;
  opened.defer(async () => {
    if (status !== null) await closeWithin(status, STATUS_WITHIN_MS);
  });
  const watch = createConfigWatch({ database, onFault });
  opened.defer(() => watch.close());
  const wakeups = createWakeups({ database, acrossProcesses: !options.isAlone, onFault });
  opened.defer(() => wakeups.close());
  const currentConfig = holdCurrentConfig(watch, database);
  await watch.refresh();

  const settings = (): StoredSettings => currentConfig.settings.current();
  const demoOrigin = (): string | null => (options.mayDemo ? settings().demoOrigin : null);
  const isDemo = (): boolean => demoOrigin() !== null;
  const allowTargets = withInboxes(options.allowTargets, demoOrigin);
  const integrations = openIntegrations({ ...options, allowTargets, currency: () => settings().settings.currency });
  opened.defer(() => integrations.close());
  const workers =
    role === 'api'
      ? null
      : await startWorkers({ ...options, wakeups, events, onFault, integrations, settings: () => settings().settings });
  opened.defer(() => workers?.stop());
  if (role === 'worker') return runtime(null, { status, workers, watch, wakeups, opened });
  assert(wall !== null, 'a process that serves partners does not know whether the second wall stands');

  const rates = await followReturnRates(database, { clock, onFault });
  opened.defer(rates.close);
  const authenticator = createAuthenticator({ database, clock, onFault });
  opened.defer(() => authenticator.close());
  const sessions = createSessionKeeper({ database, clock, onFault, isDemo });
  opened.defer(() => sessions.close());
  const simulations = createSimulations({ ...options, allowTargets, onFault });
  opened.defer(() => simulations.close());
  const batch = createMicroBatch<Submission, StoreResult>({
    flush: (items) => storeSubmissions(asTx(database), items),
  });
  opened.defer(() => batch.drain());
  const app = await buildApp({
    ...options,
    wall,
    allowTargets,
    webhook: integrations.channels.webhook,
    onQueued: () => wakeups.wake('sending'),
    metrics,
    authenticator,
    sessions,
    simulations,
    batch,
    onUntrustedProxy(address) {
      log.warn(
        { peer: address },
        'a proxy sends X-Forwarded-For and TRUST_PROXY does not name it: all callers count as one',
      );
      report.metUntrustedProxy(address);
    },
    isDemo,
    refresh: () => watch.refresh(),
    ...currentOf(currentConfig),
    personPepper: await database.tx(readPersonPepper),
    serviceAccountEmail: integrations.sheets.email,
    sheetNameOf: integrations.sheets.sheetName,
    returnRateOf: rates.of,
    refusedBodies: createRefusedBodyLimit(options.refusedBodiesADay),
    onResponse(kind) {
      events.ingest(kind);
      if (kind === 'accepted') wakeups.wake('routing');
    },
  });
  opened.defer(() => closeWithin(app, ANSWER_WITHIN_MS));
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
      // Beside the announcement: leads that come in meanwhile are stored, and routed by the next worker. Closing below awaits the same
      // end and rejects where it failed.
      workers?.stop().catch(() => undefined);
      if (app !== null) await announced;
      await opened.disposeAsync();
    },
  };
}

/** The parts of the configuration that requests look at, reloaded when its version moves. */
function holdCurrentConfig(watch: ConfigWatch, database: Database) {
  return {
    settings: keepCurrent(watch, () => database.tx(readSettings)),
    buyers: keepCurrent(watch, () => database.tx(readBuyers)),
    suppliers: keepCurrent(watch, async () => {
      const configs = await database.tx(readSuppliers);
      return new Map(
        [...configs].map(([key, config]) => [key, { config, mapping: compileFieldMapping(config.fieldMapping) }]),
      );
    }),
  };
}

/** As they are at the moment of each call. */
function currentOf(currentConfig: ReturnType<typeof holdCurrentConfig>) {
  const settings = (): MarketplaceSettings => currentConfig.settings.current().settings;
  return {
    supplierOf: (key: string) => currentConfig.suppliers.current().get(key) ?? null,
    buyerOf: (key: string) => currentConfig.buyers.current().get(key) ?? null,
    scoreWeights: () => settings().scoreWeights,
    regions: () => settings().regions,
    currency: () => settings().currency,
    marketplaceName: () => settings().name,
  };
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

/** One statement is its own transaction: BEGIN and COMMIT around it would cost two round trips per flush. */
function asTx(database: Database): Parameters<typeof storeSubmissions>[0] {
  return { query: database.query };
}
