// Whether a delivery may be returned or disputed, and the claims that there are on it.
import { type Static, Type } from 'typebox';

import { reasonCodes } from '../../claims/reason.rules.ts';
import { orNull } from '../../platform/http/values.schema.ts';
import { PortalClaimSchema } from './claims.schema.ts';

const OptionSchema = Type.Object({
  allowed: Type.Boolean(),
  /** With which filing would be refused now, in words, and what can be done about it. */
  refusal: orNull(Type.Object({ code: Type.String(), meaning: Type.String(), remedy: Type.String() })),
  /** The last second for it. */
  until: Type.String({ format: 'date-time' }),
});

export type FilingOption = Static<typeof OptionSchema>;

export const FilingSchema = Type.Object({
  deliveryId: Type.String(),
  deliveryRef: Type.String(),
  eventType: Type.String(),
  return: OptionSchema,
  dispute: OptionSchema,
  /** `proofRequired`: a return has to say how the fault was found, a dispute to have a URL of evidence. */
  reasons: Type.Array(
    Type.Object({ code: Type.Enum([...reasonCodes]), meaning: Type.String(), proofRequired: Type.Boolean() }),
  ),
  notReturnable: Type.Array(Type.String()),
  /** Of returns of deliveries of this kind in the month of this one, `YYYY-MM`. Disputes have none. */
  cap: Type.Object({
    month: Type.String(),
    limit: Type.Integer(),
    used: Type.Integer(),
    remaining: Type.Integer(),
  }),
  claims: Type.Array(PortalClaimSchema),
});
export type Filing = Static<typeof FilingSchema>;
