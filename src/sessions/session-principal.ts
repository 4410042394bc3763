// Who a request with a session's cookie comes from, in the form that scopes know (decision 022).
import type { OpenSession } from './session-keeper.ts';
import type { SessionKind } from './session.ts';

export type SessionPrincipal = {
  readonly credentialId: string;
  readonly ownerKey: string;
  readonly session: { readonly sessionId: string; readonly kind: SessionKind };
};

/** Null for a session of another kind: at the pages of others nobody is signed in. */
export function sessionPrincipal(
  found: OpenSession | null | Promise<OpenSession | null>,
  kinds: readonly SessionKind[],
): SessionPrincipal | null | Promise<SessionPrincipal | null> {
  const principal = (session: OpenSession | null): SessionPrincipal | null =>
    session === null || !kinds.includes(session.kind)
      ? null
      : {
          credentialId: session.openedWith,
          ownerKey: session.ownerKey,
          session: { sessionId: session.sessionId, kind: session.kind },
        };
  return found instanceof Promise ? found.then(principal) : principal(found);
}
