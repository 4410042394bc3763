// Who uses the portal: a partner (buyer) or a supplier.
import { createContext, useContext } from 'react';

import type { PortalSession as SessionResponse } from '../../src/portal/session.schema.ts';

export type PortalSession = NonNullable<SessionResponse['session']>;

export const SessionContext = createContext<PortalSession | null>(null);

export function usePortalSession(): PortalSession {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('no session around this page');
  return session;
}
