// GET /console/api/health: the current state of the service. Each process reads it at most once a second, regardless of the number
// of open consoles.
import { wireAmount } from '../base/money.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { cachedSpans } from '../routing/availability.rules.ts';
import { readSettings } from '../marketplace/stored-settings.ts';
import { type Health, HealthSchema } from './health.schema.ts';
import { readMarket } from '../reports/read-market.ts';
import { type Overview, readOverview, RECENT_MINUTES, type Today, readDatabaseSize } from '../reports/read-overview.ts';

export type ConsoleHealthDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  /** Nothing is cached for longer. */
  readonly overviewMaxAgeMs?: number;
};

const KEPT_MS = 1000;
/** Reads all offers and accounts; the reasons why they stop change at most every minute. */
const MARKET_KEPT_MS = 5000;
/** Stats every file of the database; the size changes at most hourly. */
const SIZE_KEPT_MS = 60_000;

export function registerConsoleHealth(scope: App, options: ConsoleHealthDependencies): void {
  const { database, clock, overviewMaxAgeMs = Infinity } = options;
  const cache = <Value>(ms: number, read: () => Promise<Value>) => cached(Math.min(ms, overviewMaxAgeMs), read);
  const size = cache(SIZE_KEPT_MS, () => readDatabaseSize(database));
  const spanOf = cachedSpans();
  const market = cache(MARKET_KEPT_MS, () =>
    database.tx(
      async (tx) => readMarket(tx, { currency: (await readSettings(tx)).settings.currency, spanOf }, clock.now()),
      {
        snapshot: true,
      },
    ),
  );
  const health = cache(KEPT_MS, async () => {
    const sold = await market();
    return healthView(await database.tx((tx) => readOverview(tx, sold, clock.now()), { snapshot: true }), await size());
  });
  scope.get(
    '/api/health',
    { config: { permission: 'read' }, schema: { response: { 200: HealthSchema } } },
    async (_request, reply) => reply.send(await health()),
  );
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

function healthView(overview: Overview, databaseBytes: number | null): Health {
  return {
    asOf: overview.asOf.toISOString(),
    currency: overview.currency,
    configVersion: overview.configVersion,
    databaseBytes,
    minutes: overview.minutes.map((minute) => ({ ...minute, minute: minute.minute.toISOString() })),
    recentMinutes: RECENT_MINUTES,
    lastLeadAt: overview.lastLeadAt?.toISOString() ?? null,
    today: todayOf(overview.today),
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
    problems: [...overview.problems],
  };
}

function todayOf({ day, leads, deliveries }: Today): Health['today'] {
  const leadsIn = (...statuses: readonly string[]): number =>
    statuses.reduce((sum, status) => sum + (leads.get(status) ?? 0), 0);
  const deliveriesIn = (status: string): number => deliveries.get(status)?.deliveries ?? 0;
  return {
    day,
    submitted: [...leads.values()].reduce((sum, count) => sum + count, 0),
    refused: leadsIn('Invalid'),
    pending: leadsIn('Pending'),
    routed: leadsIn('Lead Sale', 'Calendar Assigned'),
    duplicates: leadsIn('Duplicate'),
    noBuyer: leadsIn('No Buyer'),
    suppressed: leadsIn('Suppressed'),
    revenue: wireAmount(deliveries.get('Confirmed')?.cents ?? 0),
    deliveries: {
      pending: deliveriesIn('Pending'),
      confirmed: deliveriesIn('Confirmed'),
      failed: deliveriesIn('Failed'),
      returned: deliveriesIn('Returned'),
    },
  };
}
