// GET /portal/api/buyer/overview: exact counts of the partner's deliveries today, this month and on each of the 14 days before, in its
// own time zone. GET stats uses UTC days.
import { wireAmount } from '../../base/money.ts';
import { capSpan } from '../../base/time.ts';
import type { Buyer } from '../../buyers/buyer.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app.ts';
import { principalOf } from '../../platform/http/scope.ts';
import { countSpan } from '../../reports/buyer-stats.ts';
import { lastPeriods } from '../../reports/local-days.rules.ts';
import { readLocalStats } from '../../reports/read-local-stats.ts';
import { OverviewSchema, type Period } from './overview.schema.ts';
import type { SpanCounts } from '../../reports/buyer-days.rules.ts';

/** Two weeks to compare, and today. */
const DAYS = 15;

export type PortalOverviewDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  readonly buyerOf: (buyerKey: string) => Pick<Buyer, 'buyerKey' | 'timeZone'>;
  readonly currency: () => string;
};

export function registerPortalOverview(scope: App, dependencies: PortalOverviewDependencies): void {
  const { database, clock, buyerOf, currency } = dependencies;
  scope.get('/api/buyer/overview', { schema: { response: { 200: OverviewSchema } } }, async (request, reply) => {
    const now = clock.now();
    const { buyerKey, timeZone } = buyerOf(principalOf(request).ownerKey);
    const [day, month] = [capSpan('daily', now, timeZone), capSpan('monthly', now, timeZone)];
    const periods = lastPeriods('day', DAYS, { now, timeZone });
    const [today, thisMonth, { byDay }] = await database.tx(
      async (tx) =>
        [
          await countSpan(tx, buyerKey, day),
          await countSpan(tx, buyerKey, month),
          await readLocalStats(tx, { buyerKey, periods }),
        ] as const,
      { snapshot: true },
    );
    const response = {
      timeZone,
      currency: currency(),
      today: periodView(day, today),
      month: periodView(month, thisMonth),
      days: byDay.map(({ date, deliveries, revenue }) => ({ date, deliveries, revenue })),
    };
    return reply.send(response);
  });
}

function periodView(
  { from, until }: { readonly from: number; readonly until: number },
  { confirmed, pending, failed, returned, confirmedCents, pendingCents }: SpanCounts,
): Period {
  return {
    from: new Date(from).toISOString(),
    until: new Date(until).toISOString(),
    deliveries: confirmed + pending + failed + returned,
    ...{ confirmed, pending, failed, returned },
    revenue: wireAmount(confirmedCents),
    revenuePending: wireAmount(pendingCents),
  };
}
