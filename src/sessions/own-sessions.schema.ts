// The response with the caller's own open sessions.
import { type Static, Type } from 'typebox';

const time = Type.String({ format: 'date-time' });

export const OwnSessionsSchema = Type.Object({
  data: Type.Array(
    Type.Object({
      id: Type.String(),
      label: Type.String({ description: 'Browser and system.' }),
      createdAt: time,
      lastUsedAt: time,
      expiresAt: time,
      isThisSession: Type.Boolean(),
    }),
  ),
});
export type OwnSessions = Static<typeof OwnSessionsSchema>;
