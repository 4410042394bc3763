// Lists an owner's open sessions, and tells which of given sessions are still open (decision 022).
import { LAST_ID } from '../base/id-time.ts';
import { type SessionId, typeId, type UserId, type Uuid } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import { agentLabel } from './agent-label.rules.ts';
import { selectOpenSessions, selectStillOpen } from './session.sql.ts';
import { lifetimes, type SessionKind } from './session.ts';

export type ListedSession = {
  /** The TypeID, `ses_…`. */
  readonly id: string;
  readonly sessionId: SessionId;
  /** Such as `Firefox on Windows`. */
  readonly label: string;
  /** The user whose session it is; null for one that a token, a key or an operator opened. */
  readonly userEmail: string | null;
  readonly createdAt: Date;
  /** At most about a minute behind. */
  readonly lastUsedAt: Date;
  /** When it ends, however much it is used. */
  readonly expiresAt: Date;
};

/** The most that a reader can still tell apart. */
export const SESSIONS_SHOWN = 100;

/** Newest first, starting after the session `after`. */
export async function listSessions(
  tx: Tx,
  {
    kind,
    ownerKey,
    userId = null,
    after = null,
    limit = SESSIONS_SHOWN,
  }: {
    readonly kind: SessionKind;
    readonly ownerKey: string;
    /** Only this user's. */
    readonly userId?: UserId | null;
    readonly after?: Uuid | null;
    readonly limit?: number;
  },
  now: Date,
): Promise<ListedSession[]> {
  const idleSince = new Date(now.getTime() - lifetimes[kind].idleMs);
  const rows = await tx.query(selectOpenSessions, {
    kind,
    ownerKey,
    now,
    idleSince,
    userId,
    after: after ?? LAST_ID,
    limit,
  });
  return rows.map(({ userAgent, ...row }) => ({
    ...row,
    id: typeId('session', row.sessionId),
    label: agentLabel(userAgent),
  }));
}

/** For connections that outlive the request that opened them. */
export async function sessionsStillOpen(
  tx: Tx,
  sessionIds: readonly SessionId[],
  now: Date,
): Promise<ReadonlySet<SessionId>> {
  const ago = (ms: number): Date => new Date(now.getTime() - ms);
  const rows = await tx.query(selectStillOpen, {
    sessionIds,
    now,
    buyerIdleSince: ago(lifetimes.buyer.idleMs),
    operatorIdleSince: ago(lifetimes.operator.idleMs),
  });
  return new Set(rows.map(({ sessionId }) => sessionId));
}
