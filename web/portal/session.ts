// The session of the signed-in partner (buyer) or supplier.
import { createContext, useContext } from 'react';

import type { Credential, PortalSession as SessionResponse, UserSignIn } from '../../src/portal/session.schema.ts';
import { request } from './portal-api.ts';

export type PortalSession = NonNullable<SessionResponse['session']>;

export const SessionContext = createContext<PortalSession | null>(null);

export function usePortalSession(): PortalSession {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('this page is outside of a SessionContext');
  return session;
}

export type Right = PortalSession['rights'][number];

/** Whether the user's roles allow it; a token or key allows all. */
export function useMay(right: Right): boolean {
  return usePortalSession().rights.includes(right);
}

export function signInAsUser(body: UserSignIn): Promise<SessionResponse> {
  return request('POST /portal/api/session/password', { body });
}

export function signIn(body: Credential): Promise<SessionResponse> {
  return request('POST /portal/api/session', { body });
}
