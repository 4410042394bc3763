// The route GET /api/v1/buyer/stats: a partner's deliveries and the use of its offers' caps (contract 6.5).
import { Type } from 'typebox';

import type { Buyer } from '../buyers/buyer.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { documentedProblems } from '../platform/http/problem-schema.ts';
import { principalOf } from '../platform/http/scope.ts';
import { cachedSpans } from '../routing/availability.rules.ts';
import { localDay } from '../routing/local-day.rules.ts';
import { BuyerStatsSchema } from './buyer-stats.schema.ts';
import { buyerStats } from './buyer-stats.ts';
import { cachedWindowDays } from './offer-windows.rules.ts';

export type BuyerStatsDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  readonly buyerOf: (buyerKey: string) => Buyer;
  readonly currency: () => string;
};

const QuerySchema = Type.Object({
  days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 365,
      default: 30,
      description: 'The number of UTC days, including today.',
    }),
  ),
});

export function registerBuyerStats(scope: App, { database, clock, buyerOf, currency }: BuyerStatsDependencies): void {
  const calendar = { spanOf: cachedSpans(), daysOf: cachedWindowDays(localDay) };
  scope.addSchema(BuyerStatsSchema);
  scope.get(
    '/api/v1/buyer/stats',
    {
      schema: {
        operationId: 'getBuyerStats',
        summary: 'Read your statistics',
        description: 'Deliveries, revenue, pacing and the caps of your offers, all exact and as of the same instant.',
        tags: ['Buyer'],
        querystring: QuerySchema,
        response: { 200: Type.Ref('BuyerStats'), ...documentedProblems('partner_suspended') },
      },
      // The response already has exactly the members of the schema.
      serializerCompiler: () => (response) => JSON.stringify(response),
    },
    async (request, reply) => {
      const { days = 30 } = request.query;
      const query = { buyer: buyerOf(principalOf(request).ownerKey), currency: currency(), days, calendar };
      const now = clock.now();
      return reply.send(await database.tx((tx) => buyerStats(tx, query, now), { snapshot: true }));
    },
  );
}
