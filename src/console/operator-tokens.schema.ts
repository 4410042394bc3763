// Operators' tokens as the console and the operator's API list, issue and revoke them (contract 10.1).
import { type Static, Type } from 'typebox';

import { orNull } from '../platform/http/values.schema.ts';

const text = Type.String();
const time = Type.String({ format: 'date-time' });
const Scope = Type.Enum(['read', 'operate', 'configure', 'money', 'privacy']);

const TokenSchema = Type.Object({
  tokenId: text,
  name: text,
  scopes: Type.Array(Scope),
  label: orNull(text),
  last4: text,
  createdAt: time,
  lastUsedAt: orNull(time),
  expiresAt: orNull(time),
  revokedAt: orNull(time),
});

export const OperatorTokensSchema = Type.Object({ data: Type.Array(TokenSchema) });

export const NewOperatorTokenBody = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z0-9][a-z0-9._-]{0,62}$' }),
    scopes: Type.Array(Scope, { minItems: 1, maxItems: 5 }),
    label: Type.Optional(orNull(Type.String({ maxLength: 100 }))),
    expiresAt: Type.Optional(orNull(time)),
  },
  { additionalProperties: false },
);

/** The secret is null in the response to a repeated request. */
export const IssuedOperatorTokenSchema = Type.Object({ tokenId: text, secret: orNull(text) });
export type IssuedOperatorToken = Static<typeof IssuedOperatorTokenSchema>;

export const OperatorTokenParams = Type.Object({ tokenId: text });
export const RevokedOperatorTokenSchema = Type.Object({ tokenId: text, revokedAt: time });
