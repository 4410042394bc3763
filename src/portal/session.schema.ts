// The portal's session: the sign-in requests and the signed-in partner, supplier or user (decision 022).
import { type Static, Type } from 'typebox';

import { BrandSchema } from '../marketplace/brand.schema.ts';
import { userRoles } from '../platform/http/permission.rules.ts';
import { orNull } from '../platform/http/values.schema.ts';
import { PASSWORD_MAX } from '../sessions/operator.rules.ts';

export const SignInSchema = Type.Object(
  { credential: Type.String({ minLength: 1, maxLength: 256 }) },
  { additionalProperties: false },
);
export type Credential = Static<typeof SignInSchema>;

export const UserSignInSchema = Type.Object(
  {
    email: Type.String({ minLength: 1, maxLength: 254 }),
    password: Type.String({ minLength: 1, maxLength: PASSWORD_MAX }),
    /** The one-time code, if a second factor is set up. */
    code: Type.Optional(Type.String({ maxLength: 20 })),
  },
  { additionalProperties: false },
);
export type UserSignIn = Static<typeof UserSignInSchema>;

export const PasswordLinkBody = Type.Object(
  { email: Type.String({ format: 'email', maxLength: 254 }) },
  { additionalProperties: false },
);
export type PasswordLinkRequest = Static<typeof PasswordLinkBody>;

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
      /** The user who has signed in; null for a token or key. */
      user: orNull(Type.Object({ email: Type.String(), name: Type.String(), hasSecondFactor: Type.Boolean() })),
      /** What may be done; pages hide the rest. A token or key has all. */
      rights: Type.Array(Type.Enum([...userRoles])),
    }),
  ),
  isDemo: Type.Boolean(),
  /** Whether the sign-in form can promise an email to users who have forgotten their password. */
  mailsPasswordLinks: Type.Boolean(),
  /** Also for the sign-in form. */
  brand: BrandSchema,
});
export type PortalSession = Static<typeof PortalSessionSchema>;
