// The portal's session: the sign-in request and the signed-in partner or supplier (decision 022).
import { type Static, Type } from 'typebox';

import { BrandSchema } from '../marketplace/brand.schema.ts';
import { orNull } from '../platform/http/values.schema.ts';

export const SignInSchema = Type.Object(
  { credential: Type.String({ minLength: 1, maxLength: 256 }) },
  { additionalProperties: false },
);
export type Credential = Static<typeof SignInSchema>;

export const PortalSessionSchema = Type.Object({
  session: orNull(
    Type.Object({
      id: Type.String({ description: 'Id of the session, as in the list of sessions.' }),
      kind: Type.Enum(['buyer', 'supplier']),
      /** The partner's or supplier's key. */
      ownerKey: Type.String(),
      name: Type.String(),
      status: Type.String(),
      /** IANA name; partners only. */
      timeZone: Type.Optional(Type.String()),
      /** Enabled beta tools; partners only. */
      betaTools: Type.Optional(Type.Array(Type.String())),
      currency: Type.String(),
    }),
  ),
  isDemo: Type.Boolean(),
  /** Also for the sign-in form. */
  brand: BrandSchema,
});
export type PortalSession = Static<typeof PortalSessionSchema>;
