// GET /portal/api/buyer/stats and /portal/api/buyer/offers: the partner's deliveries by the days of its own zone, and which of its offers
// receive no leads at the moment and why. The days of the public GET stats are UTC days.
import { strict as assert } from 'node:assert';

import { type TSchema, Type } from 'typebox';

import type { Buyer } from '../../buyers/buyer.ts';
import { readBuyer } from '../../buyers/read-buyer.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app.ts';
import { principalOf } from '../../platform/http/scope.ts';
import { rememberSpans } from '../../routing/gates.rules.ts';
import { localDay } from '../../routing/local-day.rules.ts';
import { BuyerStatsSchema } from '../../reports/buyer-stats.schema.ts';
import { readPacing } from '../../reports/buyer-stats.ts';
import type { Unit } from '../../reports/local-days.rules.ts';
import { rememberWindowDays } from '../../reports/offer-windows.rules.ts';
import { readLocalStats } from '../../reports/read-local-stats.ts';
import { readOfferStops } from '../../reports/read-offer-stops.ts';

export type PortalStatsDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  readonly buyerOf: (buyerKey: string) => Buyer;
  readonly currency: () => string;
};

const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** A year of days is more than anybody can read off a chart, and costs twelve times as much to move over from UTC. */
const PERIODS: Readonly<Record<string, { readonly unit: Unit; readonly count: number }>> = {
  '7d': { unit: 'day', count: 7 },
  '30d': { unit: 'day', count: 30 },
  '90d': { unit: 'day', count: 90 },
  '12m': { unit: 'month', count: 12 },
};

const { totals, revenue, byEventType, byDay, pacing, offers } = BuyerStatsSchema.properties;
const StatsSchema = Type.Object({
  timeZone: Type.String(),
  currency: Type.String(),
  /** `date` of `byDay` is a day of the zone, or the first day of a month. */
  unit: Type.Enum(['day', 'month']),
  from: Type.String(),
  to: Type.String(),
  ...{ totals, revenue, byEventType, byDay, pacing, offers },
});

const OffersSchema = Type.Object({
  currency: Type.String(),
  /** What the account can spend; null without a limit. */
  available: orNull(Type.Number()),
  /** Leads at the dearest price that the funds still pay for, where that is few. */
  leadsLeft: orNull(Type.Integer()),
  offers: Type.Array(
    Type.Object({
      offerKey: Type.String(),
      name: Type.String(),
      price: Type.Number(),
      isActive: Type.Boolean(),
      stop: orNull(
        Type.Object({
          code: Type.String(),
          text: Type.String(),
          resetsAt: orNull(Type.String({ format: 'date-time' })),
        }),
      ),
    }),
  ),
});

const QuerySchema = Type.Object({ period: Type.Optional(Type.Enum(['7d', '30d', '90d', '12m'])) });

export function registerPortalStats(scope: App, { database, clock, buyerOf, currency }: PortalStatsDependencies): void {
  const calendar = { spanOf: rememberSpans(), daysOf: rememberWindowDays(localDay) };
  scope.get(
    '/api/buyer/stats',
    { schema: { querystring: QuerySchema, response: { 200: StatsSchema } } },
    async (request, reply) => {
      const now = clock.now();
      const buyer = buyerOf(principalOf(request).ownerKey);
      const wanted = PERIODS[request.query.period ?? '30d'] ?? { unit: 'day', count: 30 };
      const answer = await database.tx(
        async (tx) => ({
          ...(await readLocalStats(tx, { buyer, ...wanted }, now)),
          ...(await readPacing(tx, { buyer, calendar }, now)),
        }),
        { snapshot: true },
      );
      const view = { timeZone: buyer.timeZone, currency: currency(), unit: wanted.unit, ...answer };
      return reply.send(view);
    },
  );
  scope.get('/api/buyer/offers', { schema: { response: { 200: OffersSchema } } }, async (request, reply) => {
    const { ownerKey } = principalOf(request);
    const states = await database.tx(
      async (tx) => {
        // What was saved a moment ago counts, whatever this process still has in memory.
        const buyer = await readBuyer(tx, ownerKey);
        assert(buyer !== null, 'an authenticated partner is not in the database');
        return readOfferStops(tx, { buyer, currency: currency(), spanOf: calendar.spanOf }, clock.now());
      },
      { snapshot: true },
    );
    return reply.send({ currency: currency(), ...states, offers: [...states.offers] });
  });
}
