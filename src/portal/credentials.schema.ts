// A partner's tokens or a supplier's keys in the portal.
import { type Static, Type } from 'typebox';

import { orNull } from '../platform/http/values.schema.ts';

const time = Type.String({ format: 'date-time' });

export const CredentialsSchema = Type.Object({
  data: Type.Array(
    Type.Object({
      id: Type.String(),
      label: orNull(Type.String()),
      last4: Type.String(),
      createdAt: time,
      lastUsedAt: orNull(time),
      expiresAt: orNull(time),
      revokedAt: orNull(time),
      isThisSession: Type.Boolean({ description: 'Whether this credential opened the current session.' }),
    }),
  ),
});

export type Credentials = Static<typeof CredentialsSchema>;
export type Credential = Credentials['data'][number];

export const RevokedSchema = Type.Object({ id: Type.String(), revokedAt: time, endsThisSession: Type.Boolean() });
export type Revoked = Static<typeof RevokedSchema>;
