// The session of the signed-in operator.
import { createContext, useContext } from 'react';

import type { ConsoleSession as SessionResponse, SignIn } from '../../src/console/session.schema.ts';
import { takeFragment } from '../ui/session.ts';
import { request } from './console-api.ts';

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

export function signIn(body: SignIn): Promise<SessionResponse> {
  return request('POST /console/api/session', { body });
}

export type LinkedOperator = { readonly name: string; readonly password: string };

const fragment = takeFragment();
const [name, password] = [fragment.get('name'), fragment.get('password')];

/** The secret of an invitation, from the link in its email; null if there is none. */
export const invitationSecret: string | null = fragment.get('invitation');

/** From the URL with which the page was opened; null if there is none. */
export const linkedOperator: LinkedOperator | null = name === null || password === null ? null : { name, password };
