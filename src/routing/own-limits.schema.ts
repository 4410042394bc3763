// The limits that a partner sets on an offer by itself, as on the wire (contract 6.16).
import { type Static, Type } from 'typebox';

import { orNull } from '../platform/http/values.schema.ts';

const COUNT_MAX = 1_000_000_000;
const perWindow = <Limit extends ReturnType<typeof Type.Integer> | ReturnType<typeof Type.Number>>(limit: Limit) =>
  Type.Object({ daily: orNull(limit), weekly: orNull(limit), monthly: orNull(limit) }, { additionalProperties: false });

export const OwnLimitsSchema = Type.Object(
  {
    /** Leads; null for no limit. */
    caps: perWindow(Type.Integer({ minimum: 0, maximum: COUNT_MAX })),
    /** As on the wire; null for no limit. */
    budget: perWindow(Type.Number({ minimum: 0, maximum: COUNT_MAX, multipleOf: 0.01 })),
    statesNot: Type.Array(Type.String({ pattern: '^[A-Z]{2}$' }), { maxItems: 100 }),
  },
  { additionalProperties: false },
);
export type OwnLimitsForm = Static<typeof OwnLimitsSchema>;
