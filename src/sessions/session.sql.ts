// SQL on the table session.
import { statement } from '../platform/database/database.ts';
import type { OperatorRole } from './operator.rules.ts';
import type { SessionKind } from './session.ts';
import type { UserRole } from '../platform/http/permission.rules.ts';
import type { CredentialId, OperatorId, SessionId, UserId, Uuid } from '../base/ids.ts';

export const insertSession = statement<{
  readonly sessionId: SessionId;
  readonly secretHash: Buffer;
  readonly kind: string;
  readonly ownerKey: string;
  readonly credentialId: CredentialId | null;
  readonly operatorId: OperatorId | null;
  readonly userId: UserId | null;
  readonly now: Date;
  readonly expiresAt: Date;
  readonly userAgent: string;
}>(
  'sessions.insert',
  `INSERT INTO session (session_id, secret_hash, kind, owner_key, credential_id, operator_id, user_id, created_at, last_used_at, expires_at, user_agent)
   VALUES ($sessionId, $secretHash, $kind, $ownerKey, $credentialId, $operatorId, $userId, $now, $now, $expiresAt, $userAgent)`,
);

export type PresentedSessionRow = {
  readonly sessionId: SessionId;
  readonly secretHash: Buffer;
  readonly kind: SessionKind;
  readonly ownerKey: string;
  readonly openedWith: CredentialId | OperatorId | UserId;
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
  /** Of an operator. */
  readonly role: OperatorRole | null;
  readonly hasSecondFactor: boolean;
  /** Of a user of a partner or supplier. */
  readonly userEmail: string | null;
  readonly userName: string | null;
  readonly userRoles: UserRole[] | null;
  /** Of an operator whose password is still the one that the demo printed. */
  readonly isDemo: boolean;
};

/** Joined with what opened it: a revoked token, a disabled operator and a removed user have no session. */
export const selectPresentedSession = statement<{ readonly hash: Buffer }, PresentedSessionRow>(
  'sessions.presented',
  `SELECT s.session_id AS "sessionId", s.secret_hash AS "secretHash", s.kind, s.owner_key AS "ownerKey",
          coalesce(s.credential_id, s.operator_id, s.user_id) AS "openedWith", s.last_used_at AS "lastUsedAt",
          least(s.expires_at, c.expires_at) AS "expiresAt", o.role, coalesce(o.totp_secret, u.totp_secret) IS NOT NULL AS "hasSecondFactor",
          u.email AS "userEmail", u.name AS "userName", u.roles AS "userRoles",
          coalesce(o.password = o.demo_password, false) AS "isDemo"
   FROM session s
   LEFT JOIN credential c ON c.credential_id = s.credential_id
   LEFT JOIN operator o ON o.operator_id = s.operator_id
   LEFT JOIN portal_user u ON u.user_id = s.user_id
   WHERE s.secret_hash = $hash AND s.revoked_at IS NULL AND c.revoked_at IS NULL AND o.disabled_at IS NULL AND u.removed_at IS NULL`,
);

export const updateSessionUse = statement<{ readonly sessionId: SessionId; readonly now: Date }>(
  'sessions.last-used',
  `UPDATE session SET last_used_at = $now WHERE session_id = $sessionId AND last_used_at < $now`,
);

/** At most a hundred rows at each sign-in, which keeps up with any number of sign-ins. */
export const purgeOldSessions = statement<{ readonly expiresAt: Date }>(
  'sessions.purge',
  `DELETE FROM session WHERE session_id IN
     (SELECT session_id FROM session WHERE expires_at < $expiresAt ORDER BY expires_at LIMIT 100 FOR UPDATE SKIP LOCKED)`,
);

export type EndedRow = {
  readonly sessionId: SessionId;
  readonly kind: SessionKind;
  readonly ownerKey: string;
  /** Of a user's session. */
  readonly userEmail: string | null;
};

const ENDED = `session_id AS "sessionId", kind, owner_key AS "ownerKey",
     (SELECT u.email FROM portal_user u WHERE u.user_id = session.user_id) AS "userEmail"`;

/** Ends the session that a cookie names; no row if it has ended before. */
export const endPresented = statement<{ readonly secretHash: Buffer; readonly now: Date }, EndedRow>(
  'sessions.end-presented',
  `UPDATE session SET revoked_at = $now WHERE secret_hash = $secretHash AND revoked_at IS NULL
   RETURNING ${ENDED}`,
);

/** Only a session of the owner $ownerKey of $kind, and of the user $userId unless it is null. */
export const endOneSession = statement<
  {
    readonly kind: string;
    readonly ownerKey: string;
    readonly sessionId: SessionId;
    readonly userId: UserId | null;
    readonly now: Date;
  },
  { revokedAt: Date }
>(
  'sessions.end-one',
  `UPDATE session SET revoked_at = coalesce(revoked_at, $now) WHERE kind = $kind AND owner_key = $ownerKey AND session_id = $sessionId
     AND ($userId::uuid IS NULL OR user_id = $userId)
   RETURNING revoked_at AS "revokedAt"`,
);

export const endSessionsOfOperator = statement<{ readonly operatorId: OperatorId; readonly now: Date }, EndedRow>(
  'sessions.end-of-operator',
  `UPDATE session SET revoked_at = $now WHERE operator_id = $operatorId AND revoked_at IS NULL AND expires_at > $now
   RETURNING ${ENDED}`,
);

export const endSessionsOfUserSql = statement<{ readonly userId: UserId; readonly now: Date }, EndedRow>(
  'sessions.end-of-user',
  `UPDATE session SET revoked_at = $now WHERE user_id = $userId AND revoked_at IS NULL AND expires_at > $now
   RETURNING ${ENDED}`,
);

export type ListedSessionRow = {
  readonly sessionId: SessionId;
  readonly userAgent: string;
  /** Of a user's session. */
  readonly userEmail: string | null;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
};

/** The newest $limit sessions after $after, of the user $userId unless it is null, that are open at $now, which is to say used after $idleSince. */
export const selectOpenSessions = statement<
  {
    readonly kind: string;
    readonly ownerKey: string;
    readonly now: Date;
    readonly idleSince: Date;
    readonly userId: UserId | null;
    readonly after: Uuid;
    readonly limit: number;
  },
  ListedSessionRow
>(
  'sessions.of-owner',
  `SELECT s.session_id AS "sessionId", s.user_agent AS "userAgent", u.email AS "userEmail", s.created_at AS "createdAt",
          s.last_used_at AS "lastUsedAt", least(s.expires_at, c.expires_at) AS "expiresAt"
   FROM session s LEFT JOIN credential c ON c.credential_id = s.credential_id LEFT JOIN portal_user u ON u.user_id = s.user_id
   WHERE s.kind = $kind AND s.owner_key = $ownerKey AND s.revoked_at IS NULL AND c.revoked_at IS NULL
     AND least(s.expires_at, c.expires_at) > $now AND s.last_used_at > $idleSince AND s.session_id < $after
     AND ($userId::uuid IS NULL OR s.user_id = $userId)
   ORDER BY s.session_id DESC LIMIT $limit`,
);

/** The sessions of $sessionIds that are open at $now: used after $buyerIdleSince, or an operator's after $operatorIdleSince. */
export const selectStillOpen = statement<
  {
    readonly sessionIds: readonly SessionId[];
    readonly now: Date;
    readonly buyerIdleSince: Date;
    readonly operatorIdleSince: Date;
  },
  { sessionId: SessionId }
>(
  'sessions.still-open',
  `SELECT s.session_id AS "sessionId"
   FROM session s
   LEFT JOIN credential c ON c.credential_id = s.credential_id
   LEFT JOIN operator o ON o.operator_id = s.operator_id
   LEFT JOIN portal_user u ON u.user_id = s.user_id
   WHERE s.session_id = ANY ($sessionIds::uuid[]) AND s.revoked_at IS NULL AND c.revoked_at IS NULL AND o.disabled_at IS NULL
     AND u.removed_at IS NULL
     AND least(s.expires_at, c.expires_at) > $now
     AND s.last_used_at > CASE s.kind WHEN 'operator' THEN $operatorIdleSince::timestamptz ELSE $buyerIdleSince::timestamptz END`,
);
