// Ends a session: from the list of sessions, by signing out, or by signing in over it (decision 022).
import type { AuditActor, AuditOrigin } from '../audit/audit-event.ts';
import type { SessionId, UserId } from '../base/ids.ts';
import { done, type Outcome, refuse } from '../base/outcome.ts';
import type { Tx } from '../platform/database/database.ts';
import { recordSessionEvents } from './session-events.ts';
import { endOneSession, endPresented, endSessionsOfUserSql } from './session.sql.ts';
import { type SessionKind, hashSession } from './session.ts';

export type SessionEnd = {
  /** A session of another owner is not found. */
  readonly kind: SessionKind;
  readonly ownerKey: string;
  readonly sessionId: SessionId;
  /** Finds only sessions of this user; null or left out for all of the owner. */
  readonly userId?: UserId | null;
  readonly origin: AuditOrigin;
  readonly actor?: AuditActor;
};

/** Idempotent: the first time stays, and a repetition writes no second event. */
export async function endSession(tx: Tx, end: SessionEnd, now: Date): Promise<Outcome<null, 'session_not_found'>> {
  const { kind, ownerKey, sessionId, userId = null, ...details } = end;
  const [row] = await tx.query(endOneSession, { kind, ownerKey, sessionId, userId, now });
  if (row === undefined) return refuse('session_not_found');
  if (row.revokedAt.getTime() === now.getTime()) {
    const sessions = [{ kind, ownerKey, sessionId }];
    await recordSessionEvents(tx, { action: 'session.ended', sessions, ...details }, now);
  }
  return done(null);
}

/** Ends the session that a cookie names; does nothing if there is none or it has ended. */
export async function endPresentedSession(
  tx: Tx,
  { secret, origin }: { readonly secret: string; readonly origin: AuditOrigin },
  now: Date,
): Promise<void> {
  const sessions = await tx.query(endPresented, { secretHash: hashSession(secret), now });
  await recordSessionEvents(tx, { action: 'session.ended', sessions, origin }, now);
}

type UserEnd = { readonly userId: UserId; readonly actor: AuditActor; readonly origin: AuditOrigin };

/** Ends all sessions of a user of a partner or supplier. */
export async function endSessionsOfUser(tx: Tx, { userId, actor, origin }: UserEnd, now: Date): Promise<void> {
  const sessions = await tx.query(endSessionsOfUserSql, { userId, now });
  await recordSessionEvents(tx, { action: 'session.ended', sessions, actor, origin }, now);
}
