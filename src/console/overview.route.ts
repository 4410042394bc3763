// GET /console/api/overview: what happens at this moment, for the screens of operators. However many of them ask, each process reads it
// once a second.
import { wireAmount } from '../base/money.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { readSettings } from '../marketplace/read-settings.ts';
import { rememberSpans } from '../routing/availability.rules.ts';
import { type Overview as View, OverviewSchema } from './overview.schema.ts';
import { readMarket } from '../reports/read-market.ts';
import { type Overview, readOverview, RECENT_MINUTES, type Today, readDatabaseSize } from '../reports/read-overview.ts';

export type ConsoleOverviewDependencies = { readonly database: Database; readonly clock: Clock };

const KEPT_MS = 1000;
/** It reads all offers and accounts; what stops them changes by the minute at most. */
const MARKET_KEPT_MS = 5000;
/** It looks at every file of the database, and grows by the hour at most. */
const SIZE_KEPT_MS = 60_000;

export function registerConsoleOverview(scope: App, { database, clock }: ConsoleOverviewDependencies): void {
  const size = kept(SIZE_KEPT_MS, () => readDatabaseSize(database));
  const spanOf = rememberSpans();
  const market = kept(MARKET_KEPT_MS, () =>
    database.tx(
      async (tx) => readMarket(tx, { currency: (await readSettings(tx)).settings.currency, spanOf }, clock.now()),
      {
        snapshot: true,
      },
    ),
  );
  const overview = kept(KEPT_MS, async () => {
    const sold = await market();
    return viewOf(await database.tx((tx) => readOverview(tx, sold, clock.now()), { snapshot: true }), await size());
  });
  scope.get(
    '/api/overview',
    { config: { permission: 'read' }, schema: { response: { 200: OverviewSchema } } },
    async (_request, reply) => reply.send(await overview()),
  );
}

/** Asks again when the last answer is older; those who ask meanwhile wait for the same answer. A failure is told and not kept. */
function kept<Value>(forMs: number, read: () => Promise<Value>): () => Promise<Value> {
  let last: { readonly at: number; readonly value: Promise<Value> } | null = null;
  return async () => {
    // The machine's own clock: a service whose time a test holds still has to read anew all the same.
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

function viewOf(overview: Overview, databaseBytes: number | null): View {
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

function todayOf({ day, leads, deliveries }: Today): View['today'] {
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
    revenue: wireAmount(deliveries.get('Confirmed')?.cents ?? 0),
    deliveries: {
      pending: deliveriesIn('Pending'),
      confirmed: deliveriesIn('Confirmed'),
      failed: deliveriesIn('Failed'),
      returned: deliveriesIn('Returned'),
    },
  };
}
