// Turns the session of a request into the scope's principal, with its rate limits and permissions (decisions 009 and 022).
import type { CredentialId, SessionId, UserId } from '../base/ids.ts';
import type { Permission, PortalRight } from '../platform/http/permission.rules.ts';
import type { Rate } from '../platform/http/token-bucket.rules.ts';
import { permissionsOf } from './operator.rules.ts';
import type { OpenSession } from './session-keeper.ts';
import type { SessionKind } from './session.ts';

export type SessionPrincipal = {
  readonly credentialId: CredentialId;
  readonly ownerKey: string;
  /** An operator's current permissions, by role. */
  readonly permissions?: readonly Permission[];
  /** Of a partner or supplier, with the rights of the current roles. */
  readonly user?: { readonly userId: UserId; readonly email: string; readonly rights: readonly PortalRight[] };
  readonly session: {
    readonly sessionId: SessionId;
    readonly kind: SessionKind;
    readonly mustEnrol?: boolean;
  };
};

/** Null for a session of another kind: it does not sign in to these pages. */
export function sessionPrincipal(
  found: OpenSession | null | Promise<OpenSession | null>,
  kinds: readonly SessionKind[],
  { requireTotp = false }: { readonly requireTotp?: boolean } = {},
): SessionPrincipal | null | Promise<SessionPrincipal | null> {
  const principal = (session: OpenSession | null): SessionPrincipal | null =>
    session === null || !kinds.includes(session.kind)
      ? null
      : {
          credentialId: session.openedWith as CredentialId,
          ownerKey: session.ownerKey,
          ...(session.operator === null ? {} : { permissions: permissionsOf(session.operator.role) }),
          ...userOf(session),
          session: { sessionId: session.sessionId, kind: session.kind, ...enrolmentOf(session, requireTotp) },
        };
  return found instanceof Promise ? found.then(principal) : principal(found);
}

function userOf({ user, openedWith }: OpenSession): Pick<SessionPrincipal, 'user'> {
  if (user === null) return {};
  return { user: { userId: openedWith as UserId, email: user.email, rights: ['own', ...user.roles] } };
}

function enrolmentOf({ operator }: OpenSession, requireTotp: boolean): Pick<SessionPrincipal['session'], 'mustEnrol'> {
  return operator === null ? {} : { mustEnrol: requireTotp && !operator.hasSecondFactor };
}

/** Stops a runaway loop. A page makes about ten requests at once, a live page again at each change: far below this. */
export const SESSION_RATE: Rate = { perSecond: 50, burst: 200 };

/** For all sessions of a partner together: five times the rate of a token and ten times its burst, but at least what its pages need. */
export function sessionRate({ perSecond, burst }: Rate): Rate {
  return { perSecond: Math.max(10, 5 * perSecond), burst: Math.max(50, 10 * burst) };
}

/**
 * Pages send `X-Unattended: 1` with the requests that they make by themselves, so that an unattended screen becomes idle. An event
 * stream, which the browser reopens by itself, cannot carry such a header.
 */
export function isAttended({ headers }: { readonly headers: Readonly<Record<string, unknown>> }): {
  attended: boolean;
} {
  return { attended: headers['x-unattended'] === undefined && headers['accept'] !== 'text/event-stream' };
}
