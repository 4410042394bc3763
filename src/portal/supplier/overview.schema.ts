// A supplier's submissions over time, acceptance, scores, and the reasons of unsold leads.
import { type Static, Type } from 'typebox';

import { orNull } from '../../platform/http/values.schema.ts';
import { periodNames } from '../../reports/local-days.rules.ts';
import { supplierStatuses } from '../../suppliers/supplier.schema.ts';

const count = Type.Integer({ minimum: 0 });
const TotalsSchema = {
  submitted: count,
  accepted: count,
  routed: count,
  rejected: count,
  pending: count,
  /** Percent. */
  acceptedRate: Type.Number(),
  acceptanceRate: Type.Number(),
  avgScore: Type.Number(),
};
const ReasonSchema = {
  reason: Type.String(),
  meaning: Type.String(),
  remedy: Type.String(),
  leads: count,
  /** Percent of the submissions. */
  share: Type.Number(),
};

export const OverviewQuerySchema = Type.Object({
  period: Type.Optional(Type.Enum([...periodNames])),
});
export type OverviewQuery = Static<typeof OverviewQuerySchema>;

export const OverviewSchema = Type.Object({
  /** `date` in `byDay` is a day in the supplier's zone, or the first day of a month. */
  unit: Type.Enum(['day', 'month']),
  from: Type.String(),
  to: Type.String(),
  supplierKey: Type.String(),
  name: Type.String(),
  status: Type.Enum([...supplierStatuses]),
  /** The days of this month, today included: those of the supplier’s earnings this month. Null if it has no pay agreement. */
  monthDays: orNull(Type.Integer({ minimum: 1, maximum: 31 })),
  totals: Type.Object(TotalsSchema),
  byStatus: Type.Array(Type.Object({ status: Type.String(), leads: count, meaning: Type.String() })),
  byDay: Type.Array(Type.Object({ date: Type.String(), ...TotalsSchema })),
  scores: Type.Array(Type.Object({ from: Type.Integer(), to: Type.Integer(), leads: count })),
  rejections: Type.Object({
    atIngest: Type.Array(Type.Object(ReasonSchema)),
    afterwards: Type.Array(Type.Object({ status: Type.String(), ...ReasonSchema })),
  }),
  lacking: Type.Object({
    latest: Type.Integer(),
    unsold: count,
    sold: count,
    fields: Type.Array(Type.Object({ field: Type.String(), lackingUnsold: count, lackingSold: count })),
  }),
});
export type Overview = Static<typeof OverviewSchema>;
export type CountedReason = Overview['rejections']['atIngest'][number];
