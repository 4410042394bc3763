// Whether a delivery may be returned or disputed, and its existing claims.
import { type Static, Type } from 'typebox';

import { FilterCheckSchema } from '../../claims/filter-check.schema.ts';
import { reasonCodes } from '../../claims/reason.rules.ts';
import { orNull } from '../../platform/http/values.schema.ts';
import { PortalClaimSchema } from './claims.schema.ts';

const OptionSchema = Type.Object({
  allowed: Type.Boolean(),
  /** Why filing would be refused now, and what to do about it. */
  refusal: orNull(Type.Object({ code: Type.String(), meaning: Type.String(), remedy: Type.String() })),
  /** The last second of the filing window. */
  until: Type.String({ format: 'date-time' }),
});

export type FilingOption = Static<typeof OptionSchema>;

export const capMembers = {
  month: Type.String(),
  limit: Type.Integer(),
  used: Type.Integer(),
  remaining: Type.Integer(),
};

export const FilingSchema = Type.Object({
  deliveryId: Type.String(),
  deliveryRef: Type.String(),
  eventType: Type.String(),
  return: OptionSchema,
  dispute: OptionSchema,
  /** `proofRequired`: a return must state how the problem was found, a dispute must have an evidence URL. */
  reasons: Type.Array(
    Type.Object({
      code: Type.Enum([...reasonCodes]),
      meaning: Type.String(),
      proofRequired: Type.Boolean(),
      /** What our own data say about it; null if they say nothing. */
      ownData: orNull(
        Type.Union([
          Type.Object({ about: Type.Literal('filters'), checks: Type.Array(FilterCheckSchema) }),
          Type.Object({ about: Type.Literal('duplicate'), dedupDays: Type.Integer(), others: Type.Integer() }),
        ]),
      ),
    }),
  ),
  notReturnable: Type.Array(Type.String()),
  /** The monthly cap on returns of this delivery's event type, for its month (`YYYY-MM`). Null for disputes. */
  cap: Type.Object(capMembers),
  claims: Type.Array(PortalClaimSchema),
});
export type Filing = Static<typeof FilingSchema>;
