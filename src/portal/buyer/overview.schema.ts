// Counts of a partner's deliveries today and this month.
import { type Static, Type } from 'typebox';

const PeriodSchema = Type.Object({
  /** The period: from ≤ time < to. */
  from: Type.String({ format: 'date-time' }),
  until: Type.String({ format: 'date-time' }),
  deliveries: Type.Integer(),
  confirmed: Type.Integer(),
  pending: Type.Integer(),
  failed: Type.Integer(),
  returned: Type.Integer(),
  /** Payouts of confirmed and of pending deliveries. */
  revenue: Type.Number(),
  revenuePending: Type.Number(),
});

export type Period = Static<typeof PeriodSchema>;

export const OverviewSchema = Type.Object({
  timeZone: Type.String(),
  currency: Type.String(),
  today: PeriodSchema,
  month: PeriodSchema,
  /** Today and the 14 days before, oldest first. `revenue` is the price of confirmed deliveries. */
  days: Type.Array(Type.Object({ date: Type.String(), deliveries: Type.Integer(), revenue: Type.Number() })),
});
export type Overview = Static<typeof OverviewSchema>;
