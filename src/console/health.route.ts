// GET /console/api/health: the current state of the service. Each process reads it at most once a second, regardless of the number
// of open consoles.
import { wireAmount } from '../base/money.ts';
import { readSettings } from '../marketplace/stored-settings.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Tx } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { readMarket } from '../reports/read-market.ts';
import { readOverview, RECENT_MINUTES, readDatabaseSize } from '../reports/read-overview.ts';
import { readToday } from '../reports/read-today.ts';
import { cachedSpans } from '../routing/availability.rules.ts';
import { type Facts, problemsIn, readSilence, readWarnings, type Warning } from '../watch/warnings.ts';
import { type Health, HealthSchema, type HealthWarning } from './health.schema.ts';

export type ConsoleHealthDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  /** Nothing is cached for longer. */
  readonly overviewMaxAgeMs?: number;
};

const KEPT_MS = 1000;
/** Reads all offers and accounts; the reasons why they stop change at most every minute. */
const MARKET_KEPT_MS = 5000;
/** Adds up all changes that the reports have not folded yet. */
const TODAY_KEPT_MS = 5000;
/** Looks weeks back for each supplier that is silent. */
const SILENCE_KEPT_MS = 60_000;
/** Stats every file of the database; the size changes at most hourly. */
const SIZE_KEPT_MS = 60_000;

export function registerConsoleHealth(scope: App, options: ConsoleHealthDependencies): void {
  const { database } = options;
  const readHealth = healthReader(options);
  scope.get(
    '/api/health',
    { config: { permission: 'read' }, schema: { response: { 200: HealthSchema } } },
    async (_request, reply) => {
      const { facts, databaseBytes } = await readHealth();
      // Not cached: an operator sees at once what it has acknowledged.
      const warnings = await database.tx((tx) => readWarnings(tx, problemsIn(facts)));
      return reply.send(healthView(facts, { warnings, databaseBytes }));
    },
  );
}

function healthReader({ database, clock, overviewMaxAgeMs = Infinity }: ConsoleHealthDependencies) {
  const cache = <Value>(ms: number, read: () => Promise<Value>) => cached(Math.min(ms, overviewMaxAgeMs), read);
  const snapshot = <Value>(read: (tx: Tx) => Promise<Value>) => database.tx(read, { snapshot: true });
  const spanOf = cachedSpans();
  const size = cache(SIZE_KEPT_MS, () => readDatabaseSize(database));
  const market = cache(MARKET_KEPT_MS, () =>
    snapshot(async (tx) => readMarket(tx, { settings: (await readSettings(tx)).settings, spanOf }, clock.now())),
  );
  const today = cache(TODAY_KEPT_MS, () => snapshot((tx) => readToday(tx, clock.now())));
  const silent = cache(SILENCE_KEPT_MS, () => snapshot((tx) => readSilence(tx, clock.now())));
  return cache(KEPT_MS, async () => ({
    facts: {
      market: await market(),
      today: await today(),
      silent: await silent(),
      overview: await snapshot((tx) => readOverview(tx, clock.now())),
    } satisfies Facts,
    databaseBytes: await size(),
  }));
}

/** Caches a value for that long; concurrent callers share one read. A failure is returned, not cached. */
function cached<Value>(forMs: number, read: () => Promise<Value>): () => Promise<Value> {
  let last: { readonly at: number; readonly value: Promise<Value> } | null = null;
  return async () => {
    // The machine's clock, so that the cache expires even if a test freezes the service's time.
    const now = performance.now();
    if (last === null || now - last.at >= forMs) last = { at: now, value: read() };
    const { value } = last;
    try {
      return await value;
    } catch (error) {
      if (last?.value === value) last = null;
      throw error;
    }
  };
}

type Beside = { readonly warnings: readonly Warning[]; readonly databaseBytes: number | null };

function healthView({ overview, today }: Facts, { warnings, databaseBytes }: Beside): Health {
  return {
    asOf: overview.asOf.toISOString(),
    currency: overview.currency,
    configVersion: overview.configVersion,
    databaseBytes,
    minutes: overview.minutes.map((minute) => ({ ...minute, minute: minute.minute.toISOString() })),
    recentMinutes: RECENT_MINUTES,
    lastLeadAt: overview.lastLeadAt?.toISOString() ?? null,
    today: { day: today.day, ...today.figures },
    queues: [...overview.queues],
    endpoints: {
      ...overview.endpoints,
      listed: overview.endpoints.listed.map((endpoint) => ({ ...endpoint, since: endpoint.since.toISOString() })),
    },
    deadJobs: { ...overview.deadJobs, latestAt: overview.deadJobs.latestAt?.toISOString() ?? null },
    attempts: { ...overview.attempts, from: overview.attempts.from?.toISOString() ?? null },
    processes: overview.processes.map(({ role, startedAt, seenAt, isLost, clockAheadMs }) => ({
      role,
      startedAt: startedAt.toISOString(),
      seenAt: seenAt.toISOString(),
      isLost,
      clockAheadMs,
    })),
    warnings: warnings.map(warningView),
  };
}

function warningView({ cents, since, acknowledged, ...warning }: Warning): HealthWarning {
  return {
    ...warning,
    money: cents === null ? null : wireAmount(cents),
    since: since?.toISOString() ?? null,
    acknowledged: acknowledged === null ? null : { by: acknowledged.by, at: acknowledged.at.toISOString() },
  };
}
