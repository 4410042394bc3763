// An offer's own limits with their bounds, and what they would have changed.
import { type Static, Type } from 'typebox';

import { OwnLimitsSchema } from '../../routing/own-limits.schema.ts';

/** What the operator set, which own limits cannot exceed. */
const BoundsSchema = Type.Object({
  caps: OwnLimitsSchema.properties.caps,
  budget: OwnLimitsSchema.properties.budget,
  /** The only states from which the offer buys; empty for all. */
  states: Type.Array(Type.String()),
  statesNot: Type.Array(Type.String()),
});

export const LimitsSchema = Type.Object({
  offerKey: Type.String(),
  name: Type.String(),
  price: Type.Number(),
  currency: Type.String(),
  bounds: BoundsSchema,
  /** All null and empty if there are none. */
  own: OwnLimitsSchema,
});
export type Limits = Static<typeof LimitsSchema>;

export const LimitsParams = Type.Object({ offerKey: Type.String({ maxLength: 63 }) });

const SumsSchema = Type.Object({ leads: Type.Integer(), cost: Type.Number() });
export const LimitsTrialSchema = Type.Object({
  /** The days that were looked at, in the account's time zone; today is not among them. */
  from: Type.String({ format: 'date' }),
  until: Type.String({ format: 'date' }),
  /** What the offer bought then. */
  bought: SumsSchema,
  /** What of that it would have bought under the limits. */
  kept: SumsSchema,
});
export type LimitsTrial = Static<typeof LimitsTrialSchema>;
