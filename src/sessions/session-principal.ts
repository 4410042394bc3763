// Who a request with a session's cookie comes from, in the form that scopes know (decision 022).
import type { Permission } from '../platform/http/permission.rules.ts';
import { permissionsOf } from './operator-roles.rules.ts';
import type { OpenSession } from './session-keeper.ts';
import type { SessionKind } from './session.ts';

export type SessionPrincipal = {
  readonly credentialId: string;
  readonly ownerKey: string;
  readonly session: {
    readonly sessionId: string;
    readonly kind: SessionKind;
    readonly permissions?: readonly Permission[];
    readonly mustEnrol?: boolean;
  };
};

/** Null for a session of another kind: at the pages of others nobody is signed in. */
export function sessionPrincipal(
  found: OpenSession | null | Promise<OpenSession | null>,
  kinds: readonly SessionKind[],
  { requireTotp = false }: { readonly requireTotp?: boolean } = {},
): SessionPrincipal | null | Promise<SessionPrincipal | null> {
  const principal = (session: OpenSession | null): SessionPrincipal | null =>
    session === null || !kinds.includes(session.kind)
      ? null
      : {
          credentialId: session.openedWith,
          ownerKey: session.ownerKey,
          session: { sessionId: session.sessionId, kind: session.kind, ...rightsOf(session, requireTotp) },
        };
  return found instanceof Promise ? found.then(principal) : principal(found);
}

function rightsOf(
  { operator }: OpenSession,
  requireTotp: boolean,
): Pick<SessionPrincipal['session'], 'permissions' | 'mustEnrol'> {
  if (operator === null) return {};
  return { permissions: permissionsOf(operator.role), mustEnrol: requireTotp && !operator.hasSecondFactor };
}
