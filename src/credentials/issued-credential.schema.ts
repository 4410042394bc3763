// The request and response of issuing a key or token, at the console and in the portal.
import { type Static, Type } from 'typebox';

import { orNull } from '../platform/http/values.schema.ts';

export const NewCredentialBody = Type.Object(
  {
    label: Type.Optional(orNull(Type.String({ maxLength: 100 }))),
    expiresAt: Type.Optional(orNull(Type.String({ format: 'date-time' }))),
  },
  { additionalProperties: false },
);
export type NewCredential = Static<typeof NewCredentialBody>;

/** The secret is null in the response to a repeated request. */
export const IssuedCredentialSchema = Type.Object({ id: Type.String(), secret: orNull(Type.String()) });
export type IssuedCredential = Static<typeof IssuedCredentialSchema>;
