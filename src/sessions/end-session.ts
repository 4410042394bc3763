// Ends one session of somebody's: at the list of one's own sessions, or by an operator (decision 022).
import type { AuditActor, AuditOrigin } from '../audit/audit-event.ts';
import type { SessionId } from '../base/ids.ts';
import { done, type Outcome, refuse } from '../base/outcome.ts';
import type { Tx } from '../platform/database/database.ts';
import { recordSessionEvents } from './session-events.ts';
import { endOneSession } from './session.sql.ts';
import type { SessionKind } from './session.ts';

export type SessionEnd = {
  /** Somebody else's session is not found. */
  readonly kind: SessionKind;
  readonly ownerKey: string;
  readonly sessionId: SessionId;
  readonly origin: AuditOrigin;
  readonly actor?: AuditActor;
};

/** Repeating it is fine: the first time stays, and no second event is written. */
export async function endSession(tx: Tx, end: SessionEnd, now: Date): Promise<Outcome<null, 'session_not_found'>> {
  const { kind, ownerKey, sessionId, ...details } = end;
  const [row] = await tx.query(endOneSession, { kind, ownerKey, sessionId, now });
  if (row === undefined) return refuse('session_not_found');
  if (row.revokedAt.getTime() === now.getTime()) {
    const sessions = [{ kind, ownerKey, sessionId }];
    await recordSessionEvents(tx, { action: 'session.ended', sessions, ...details }, now);
  }
  return done(null);
}
