// Opens a session for an authenticated owner; the result is the only place that holds its secret (decision 022).
import { type AuditOrigin, noOrigin } from '../audit/audit-event.ts';
import { type CredentialId, newUuid, type OperatorId, type SessionId, type UserId } from '../base/ids.ts';
import { DAY_MS } from '../base/time.ts';
import type { Tx } from '../platform/database/database.ts';
import { hashSession, lifetimes, newSessionSecret, newUserSessionSecret, type SessionOwner } from './session.ts';
import { recordSessionEvents } from './session-events.ts';
import { purgeOldSessions, insertSession } from './session.sql.ts';

export type NewSession = {
  /** `userEmail` of a user, who is then `openedWith`. */
  readonly owner: SessionOwner & { readonly userEmail?: string };
  /** The browser's header; stored shortened. */
  readonly userAgent: string;
  readonly origin?: AuditOrigin;
};

export type OpenedSession = { readonly sessionId: SessionId; readonly secret: string; readonly expiresAt: Date };

/** Rows of ended sessions are kept this long; the audit log keeps the sign-ins themselves. */
const KEPT_MS = 30 * DAY_MS;
const USER_AGENT_MAX = 200;

export async function openSession(
  tx: Tx,
  { owner, userAgent, origin = noOrigin }: NewSession,
  now: Date,
): Promise<OpenedSession> {
  const { kind, ownerKey, openedWith, userEmail = null } = owner;
  const sessionId = newUuid();
  const secret = userEmail === null ? newSessionSecret() : newUserSessionSecret();
  const expiresAt = new Date(now.getTime() + lifetimes[kind].absoluteMs);
  const isOperator = kind === 'operator';
  await tx.query(purgeOldSessions, { expiresAt: new Date(now.getTime() - KEPT_MS) });
  await tx.query(insertSession, {
    sessionId,
    secretHash: hashSession(secret),
    kind,
    ownerKey,
    credentialId: isOperator || userEmail !== null ? null : (openedWith as CredentialId),
    operatorId: isOperator ? (openedWith as OperatorId) : null,
    userId: userEmail === null ? null : (openedWith as UserId),
    now,
    expiresAt,
    userAgent: storedAgent(userAgent),
  });
  const sessions = [{ kind, ownerKey, sessionId, userEmail }];
  await recordSessionEvents(tx, { action: 'session.opened', sessions, origin }, now);
  return { sessionId, secret, expiresAt };
}

/** One line without control characters, at most `USER_AGENT_MAX` characters. */
function storedAgent(text: string): string {
  return [...text.toWellFormed().replaceAll(/\p{Cc}/gu, ' ')].slice(0, USER_AGENT_MAX).join('');
}
