// A partner's deliveries per day of its own time zone, and the state of its offers.
import { type Static, Type } from 'typebox';

import { orNull } from '../../platform/http/values.schema.ts';
import { BuyerStatsSchema } from '../../reports/buyer-stats.schema.ts';
import { periodNames } from '../../reports/local-days.rules.ts';

const { totals, revenue, byEventType, byDay, pacing, offers } = BuyerStatsSchema.properties;
export const StatsSchema = Type.Object({
  timeZone: Type.String(),
  currency: Type.String(),
  /** `date` in `byDay` is a day in the partner's zone, or the first day of a month. */
  unit: Type.Enum(['day', 'month']),
  from: Type.String(),
  to: Type.String(),
  ...{ totals, revenue, byEventType, byDay, pacing, offers },
});

export type Stats = Static<typeof StatsSchema>;

export const OffersSchema = Type.Object({
  currency: Type.String(),
  /** Available funds; null without a limit. */
  available: orNull(Type.Number()),
  /** If funds are low: how many leads at the highest price they still pay for. */
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
          since: orNull(Type.String({ format: 'date-time' })),
          resetsAt: orNull(Type.String({ format: 'date-time' })),
        }),
      ),
    }),
  ),
});

export type Offers = Static<typeof OffersSchema>;

export const StatsQuerySchema = Type.Object({ period: Type.Optional(Type.Enum([...periodNames])) });
export type StatsQuery = Static<typeof StatsQuerySchema>;
