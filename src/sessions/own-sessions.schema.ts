// The response with the caller's own open sessions.
import { type Static, Type } from 'typebox';

import { orNull } from '../platform/http/values.schema.ts';

const time = Type.String({ format: 'date-time' });

export const OwnSessionsSchema = Type.Object({
  data: Type.Array(
    Type.Object({
      id: Type.String(),
      label: Type.String({ description: 'Browser and system.' }),
      /** Of a partner's or supplier's user. */
      userEmail: orNull(Type.String()),
      createdAt: time,
      lastUsedAt: time,
      expiresAt: time,
      isThisSession: Type.Boolean(),
    }),
  ),
});
export type OwnSessions = Static<typeof OwnSessionsSchema>;
