// The console's session: the sign-in request and the signed-in operator (decisions 022 and 030).
import { type Static, Type } from 'typebox';

import { BrandSchema } from '../marketplace/brand.schema.ts';
import { permissions } from '../platform/http/permission.rules.ts';
import { orNull } from '../platform/http/values.schema.ts';
import { operatorRoles, PASSWORD_MAX } from '../sessions/operator.rules.ts';

export const SignInBody = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100 }),
    password: Type.String({ minLength: 1, maxLength: PASSWORD_MAX }),
    /** The one-time code, if a second factor is set up. */
    code: Type.Optional(Type.String({ maxLength: 20 })),
  },
  { additionalProperties: false },
);
export type SignIn = Static<typeof SignInBody>;

/** Why a sign-in through the identity provider failed, as `signIn` in the address of the sign-in page. */
export const providerSignInFaults = ['provider_failed', 'sign_in_over', 'sign_in_canceled', 'not_an_operator'] as const;
export type ProviderSignInFault = (typeof providerSignInFaults)[number];

export const ConsoleSessionSchema = Type.Object({
  session: orNull(
    Type.Object({
      id: Type.String({ description: 'Id of the session, as in the list of sessions.' }),
      kind: Type.Literal('operator'),
      /** The operator's name, as `name`. */
      ownerKey: Type.String(),
      name: Type.String(),
      currency: Type.String(),
      /** The marketplace's: all days and times of the console are in it. */
      timeZone: Type.String(),
      role: Type.Enum([...operatorRoles]),
      /** Permissions of the role; pages hide everything else. */
      permissions: Type.Array(Type.Enum([...permissions])),
      /** `required`: the operator must set it up before anything else. */
      secondFactor: Type.Enum(['set', 'none', 'required']),
    }),
  ),
  isDemo: Type.Boolean(),
  /** The name of the identity provider that operators may sign in with; null where there is none. */
  provider: orNull(Type.String()),
  /** Also for the sign-in form. */
  brand: BrandSchema,
});
export type ConsoleSession = Static<typeof ConsoleSessionSchema>;
