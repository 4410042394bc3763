// A partner's deliveries of today and of this month.
import { type Static, Type } from 'typebox';

const PeriodSchema = Type.Object({
  /** First instant, and the first one after it. */
  from: Type.String({ format: 'date-time' }),
  until: Type.String({ format: 'date-time' }),
  deliveries: Type.Integer(),
  confirmed: Type.Integer(),
  pending: Type.Integer(),
  failed: Type.Integer(),
  returned: Type.Integer(),
  /** Payouts of those that are confirmed, and of those that are still pending. */
  revenue: Type.Number(),
  revenuePending: Type.Number(),
});

export type Period = Static<typeof PeriodSchema>;

export const OverviewSchema = Type.Object({
  timeZone: Type.String(),
  currency: Type.String(),
  today: PeriodSchema,
  month: PeriodSchema,
});
export type Overview = Static<typeof OverviewSchema>;
