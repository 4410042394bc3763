// Opens a session for somebody who has shown who it is: the secret is in the answer and nowhere else (decision 022).
import { type AuditOrigin, noOrigin } from '../audit/audit-event.ts';
import { newUuid, type SessionId } from '../base/ids.ts';
import { DAY_MS } from '../base/time.ts';
import type { Tx } from '../platform/database/database.ts';
import { hashSession, lifetimes, newSessionSecret, type SessionOwner } from './session.ts';
import { recordSessionEvents } from './session-events.ts';
import { purgeOldSessions, insertSession } from './session.sql.ts';

export type NewSession = {
  readonly owner: SessionOwner;
  /** As the browser says it; cut short. */
  readonly userAgent: string;
  readonly origin?: AuditOrigin;
};

export type OpenedSession = { readonly sessionId: SessionId; readonly secret: string; readonly expiresAt: Date };

/** Rows of ended sessions are kept so long; the audit log keeps who came when. */
const KEPT_MS = 30 * DAY_MS;
const USER_AGENT_MAX = 200;

export async function openSession(
  tx: Tx,
  { owner, userAgent, origin = noOrigin }: NewSession,
  now: Date,
): Promise<OpenedSession> {
  const { kind, ownerKey, openedWith } = owner;
  const sessionId = newUuid();
  const secret = newSessionSecret();
  const expiresAt = new Date(now.getTime() + lifetimes[kind].absoluteMs);
  const [credentialId, operatorId] = kind === 'operator' ? [null, openedWith] : [openedWith, null];
  await tx.query(purgeOldSessions, { expiresAt: new Date(now.getTime() - KEPT_MS) });
  await tx.query(insertSession, {
    sessionId,
    secretHash: hashSession(secret),
    kind,
    ownerKey,
    credentialId,
    operatorId,
    now,
    expiresAt,
    userAgent: shownAgent(userAgent),
  });
  const sessions = [{ ...owner, sessionId }];
  await recordSessionEvents(tx, { action: 'session.opened', sessions, origin }, now);
  return { sessionId, secret, expiresAt };
}

/** What can be shown in a line: no control characters, and not more than fits. */
function shownAgent(text: string): string {
  return [...text.toWellFormed().replaceAll(/\p{Cc}/gu, ' ')].slice(0, USER_AGENT_MAX).join('');
}
