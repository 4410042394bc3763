// Who uses the console.
import { createContext, useContext } from 'react';

import type { ConsoleSession as SessionResponse } from '../../src/console/session.schema.ts';

export type ConsoleSession = NonNullable<SessionResponse['session']>;
export type Permission = ConsoleSession['permissions'][number];

export const SessionContext = createContext<ConsoleSession | null>(null);

/** Whether this is a demo, which is open to whoever has what it printed. */
export const DemoContext = createContext(false);

export function useConsoleSession(): ConsoleSession {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('no session around this page');
  return session;
}
