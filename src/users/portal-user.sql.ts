// SQL on the table portal_user.
import type { UserId } from '../base/ids.ts';
import { statement } from '../platform/database/database.ts';
import type { UserRole } from '../platform/http/permission.rules.ts';
import type { PartnerKind } from './user.rules.ts';

/** No row if the address has an account. */
export const insertUser = statement<
  {
    readonly userId: UserId;
    readonly kind: string;
    readonly ownerKey: string;
    readonly email: string;
    readonly name: string;
    readonly roles: readonly string[];
    readonly passwordHash: string;
    readonly now: Date;
  },
  { userId: UserId }
>(
  'users.insert',
  `INSERT INTO portal_user (user_id, kind, owner_key, email, name, roles, password, created_at)
   VALUES ($userId, $kind, $ownerKey, $email, $name, $roles, $passwordHash, $now) ON CONFLICT DO NOTHING RETURNING user_id AS "userId"`,
);

export type UserRow = {
  readonly userId: UserId;
  readonly kind: PartnerKind;
  readonly ownerKey: string;
  readonly email: string;
  readonly name: string;
  readonly roles: UserRole[];
  readonly password: string;
  readonly totpSecret: string | null;
};

const COLUMNS = `user_id AS "userId", kind, owner_key AS "ownerKey", email, name, roles, password, totp_secret AS "totpSecret"`;

export const selectUserByEmail = statement<{ readonly email: string }, UserRow>(
  'users.by-email',
  `SELECT ${COLUMNS} FROM portal_user WHERE email = $email AND removed_at IS NULL`,
);

/** Returns the row only while it still has this password, so that a sign-in with the old one fails after a change. */
export const lockUserWithPassword = statement<{ readonly userId: UserId; readonly password: string }, UserRow>(
  'users.lock-with-password',
  `SELECT ${COLUMNS} FROM portal_user WHERE user_id = $userId AND password = $password AND removed_at IS NULL FOR UPDATE`,
);

/** Only of the owner. */
export const lockUser = statement<
  { readonly kind: string; readonly ownerKey: string; readonly userId: UserId },
  UserRow
>(
  'users.lock',
  `SELECT ${COLUMNS} FROM portal_user
   WHERE kind = $kind AND owner_key = $ownerKey AND user_id = $userId AND removed_at IS NULL FOR UPDATE`,
);

/** Returns no row unless the step is later than the last one. */
export const takeUserTotpStep = statement<{ readonly userId: UserId; readonly step: number }, { step: number }>(
  'users.take-step',
  `UPDATE portal_user SET totp_last_step = $step WHERE user_id = $userId AND (totp_last_step IS NULL OR totp_last_step < $step)
   RETURNING totp_last_step AS step`,
);

export const updateUserRoles = statement<{ readonly userId: UserId; readonly roles: readonly string[] }>(
  'users.roles',
  `UPDATE portal_user SET roles = $roles WHERE user_id = $userId`,
);

export const updateUserPassword = statement<
  { readonly userId: UserId; readonly passwordHash: string },
  { email: string }
>(
  'users.password',
  `UPDATE portal_user SET password = $passwordHash WHERE user_id = $userId AND removed_at IS NULL RETURNING email`,
);

/** Without password and second factor: the row is kept for the audit log only. */
export const removeUserSql = statement<{ readonly userId: UserId; readonly now: Date }>(
  'users.remove',
  `UPDATE portal_user SET removed_at = $now, totp_secret = NULL, totp_pending = NULL, totp_last_step = NULL WHERE user_id = $userId`,
);

export const setPendingUserTotp = statement<{ readonly userId: UserId; readonly secret: string }, { email: string }>(
  'users.pending-totp',
  `UPDATE portal_user SET totp_pending = $secret WHERE user_id = $userId AND totp_secret IS NULL RETURNING email`,
);

export const lockPendingUserTotp = statement<{ readonly userId: UserId }, { pending: string | null; isSet: boolean }>(
  'users.lock-pending-totp',
  `SELECT totp_pending AS "pending", totp_secret IS NOT NULL AS "isSet" FROM portal_user WHERE user_id = $userId FOR UPDATE`,
);

/** Also marks the step of the confirming code as used. */
export const confirmUserTotp = statement<{ readonly userId: UserId; readonly step: number }>(
  'users.confirm-totp',
  `UPDATE portal_user SET totp_secret = totp_pending, totp_pending = NULL, totp_last_step = $step WHERE user_id = $userId`,
);

export const clearUserTotp = statement<{ readonly userId: UserId }>(
  'users.clear-totp',
  `UPDATE portal_user SET totp_secret = NULL, totp_pending = NULL, totp_last_step = NULL WHERE user_id = $userId`,
);

export type ListedUserRow = {
  readonly userId: UserId;
  readonly email: string;
  readonly name: string;
  readonly roles: UserRole[];
  readonly hasSecondFactor: boolean;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
};

export const selectUsers = statement<
  { readonly kind: string; readonly ownerKey: string; readonly limit: number },
  ListedUserRow
>(
  'users.list',
  `SELECT u.user_id AS "userId", u.email, u.name, u.roles, u.totp_secret IS NOT NULL AS "hasSecondFactor", u.created_at AS "createdAt",
          (SELECT max(s.last_used_at) FROM session s WHERE s.kind = u.kind AND s.owner_key = u.owner_key AND s.user_id = u.user_id) AS "lastUsedAt"
   FROM portal_user u WHERE u.kind = $kind AND u.owner_key = $ownerKey AND u.removed_at IS NULL ORDER BY u.email LIMIT $limit`,
);
