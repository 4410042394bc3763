// The session of the signed-in operator.
import { createContext, useContext } from 'react';

import type { ConsoleSession as SessionResponse } from '../../src/console/session.schema.ts';

export type ConsoleSession = NonNullable<SessionResponse['session']>;
export type Permission = ConsoleSession['permissions'][number];

export const SessionContext = createContext<ConsoleSession | null>(null);

/** Whether the service is a demo, which anyone with the printed credentials can use. */
export const DemoContext = createContext(false);

export function useConsoleSession(): ConsoleSession {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('this page is outside of a SessionContext');
  return session;
}
