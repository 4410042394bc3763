// GET /portal/api/buyer/overview: exact counts of the partner's deliveries today and this month, in its own time zone. GET stats uses UTC
// days.
import { wireAmount } from '../../base/money.ts';
import { capSpan } from '../../base/time.ts';
import type { Buyer } from '../../buyers/buyer.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app.ts';
import { principalOf } from '../../platform/http/scope.ts';
import { countSpan } from '../../reports/buyer-stats.ts';
import { OverviewSchema, type Period } from './overview.schema.ts';
import type { SpanCounts } from '../../reports/buyer-days.rules.ts';

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
    const [today, thisMonth] = await database.tx(
      async (tx) => [await countSpan(tx, buyerKey, day), await countSpan(tx, buyerKey, month)] as const,
      { snapshot: true },
    );
    const response = {
      timeZone,
      currency: currency(),
      today: periodView(day, today),
      month: periodView(month, thisMonth),
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
