// Who uses the console.
import { createContext, useContext } from 'react';

export type ConsoleSession = {
  readonly kind: 'operator';
  /** The operator's name. */
  readonly ownerKey: string;
  readonly name: string;
  readonly currency: string;
};

export const SessionContext = createContext<ConsoleSession | null>(null);

export function useConsoleSession(): ConsoleSession {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('no session around this page');
  return session;
}
