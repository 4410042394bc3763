// Who uses the console.
import { createContext, useContext } from 'react';

export type Permission = 'own' | 'read' | 'operate' | 'money' | 'configure' | 'credentials' | 'persons';

export type ConsoleSession = {
  readonly kind: 'operator';
  /** The operator's name. */
  readonly ownerKey: string;
  readonly name: string;
  readonly currency: string;
  readonly role: 'admin' | 'finance' | 'support' | 'read-only';
  /** What the role allows. */
  readonly permissions: readonly Permission[];
  /** `required`: nothing is open until one-time codes are set up. */
  readonly secondFactor: 'set' | 'none' | 'required';
};

export const SessionContext = createContext<ConsoleSession | null>(null);

/** Whether this is a demo, which is open to whoever has what it printed. */
export const DemoContext = createContext(false);

export function useConsoleSession(): ConsoleSession {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('no session around this page');
  return session;
}
