// GET /portal/api/buyer/stats and /portal/api/buyer/offers: the partner's deliveries per day of its own time zone, and which of its offers
// currently receive no leads and why. The public GET stats uses UTC days.
import { strict as assert } from 'node:assert';

import type { Buyer } from '../../buyers/buyer.ts';
import { readBuyer } from '../../buyers/read-buyers.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app.ts';
import { principalOf } from '../../platform/http/scope.ts';
import { cachedSpans } from '../../routing/availability.rules.ts';
import { localDay } from '../../routing/local-day.rules.ts';
import { readPacing } from '../../reports/buyer-stats.ts';
import { namedPeriod } from '../../reports/local-days.rules.ts';
import { cachedWindowDays } from '../../reports/offer-windows.rules.ts';
import { readLocalStats } from '../../reports/read-local-stats.ts';
import { readOfferStops } from '../../reports/read-offer-stops.ts';
import { OffersSchema, StatsQuerySchema, StatsSchema } from './stats.schema.ts';

export type PortalStatsDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  readonly buyerOf: (buyerKey: string) => Buyer;
  readonly currency: () => string;
};

export function registerPortalStats(scope: App, { database, clock, buyerOf, currency }: PortalStatsDependencies): void {
  const calendar = { spanOf: cachedSpans(), daysOf: cachedWindowDays(localDay) };
  scope.get(
    '/api/buyer/stats',
    { schema: { querystring: StatsQuerySchema, response: { 200: StatsSchema } } },
    async (request, reply) => {
      const now = clock.now();
      const buyer = buyerOf(principalOf(request).ownerKey);
      const { buyerKey, timeZone } = buyer;
      const { unit, periods } = namedPeriod(request.query.period ?? '30d', { now, timeZone });
      const response = await database.tx(
        async (tx) => ({
          ...(await readLocalStats(tx, { buyerKey, periods })),
          ...(await readPacing(tx, { buyer, calendar }, now)),
        }),
        { snapshot: true },
      );
      const view = { timeZone, currency: currency(), unit, ...response };
      return reply.send(view);
    },
  );
  scope.get('/api/buyer/offers', { schema: { response: { 200: OffersSchema } } }, async (request, reply) => {
    const { ownerKey } = principalOf(request);
    const states = await database.tx(
      async (tx) => {
        // Read from the database: this process's configuration may be older than a change that was just saved.
        const buyer = await readBuyer(tx, ownerKey);
        assert(buyer !== null, 'an authenticated partner is not in the database');
        return readOfferStops(tx, { buyer, currency: currency(), spanOf: calendar.spanOf }, clock.now());
      },
      { snapshot: true },
    );
    return reply.send({ currency: currency(), ...states, offers: states.offers });
  });
}
