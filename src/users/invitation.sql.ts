// SQL on the table invitation.
import type { InvitationId, Uuid } from '../base/ids.ts';
import { statement } from '../platform/database/database.ts';
import type { SessionKind } from '../sessions/session.ts';

/** Replaces the open invitation of the same address to the same account, whose link then ends. */
export const writeInvitation = statement<
  {
    readonly invitationId: InvitationId;
    readonly secretHash: Buffer;
    readonly kind: string;
    readonly ownerKey: string;
    readonly email: string;
    readonly name: string;
    readonly roles: readonly string[];
    readonly accountId: Uuid | null;
    readonly invitedBy: string;
    readonly now: Date;
    readonly expiresAt: Date;
  },
  { invitationId: InvitationId }
>(
  'invitations.write',
  `INSERT INTO invitation (invitation_id, secret_hash, kind, owner_key, email, name, roles, account_id, invited_by, created_at, expires_at)
   VALUES ($invitationId, $secretHash, $kind, $ownerKey, $email, $name, $roles, $accountId, $invitedBy, $now, $expiresAt)
   ON CONFLICT (kind, owner_key, email) DO UPDATE
     SET secret_hash = excluded.secret_hash, name = excluded.name, roles = excluded.roles, account_id = excluded.account_id,
         invited_by = excluded.invited_by, created_at = excluded.created_at, expires_at = excluded.expires_at
   RETURNING invitation_id AS "invitationId"`,
);

export type InvitationRow = {
  readonly invitationId: InvitationId;
  readonly kind: SessionKind;
  readonly ownerKey: string;
  readonly email: string;
  readonly name: string;
  readonly roles: readonly string[];
  readonly accountId: Uuid | null;
  readonly invitedBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
};

const COLUMNS = `invitation_id AS "invitationId", kind, owner_key AS "ownerKey", email, name, roles, account_id AS "accountId",
          invited_by AS "invitedBy", created_at AS "createdAt", expires_at AS "expiresAt"`;

/** The invitation of a link, if it has not expired. */
export const selectPresentedInvitation = statement<{ readonly secretHash: Buffer; readonly now: Date }, InvitationRow>(
  'invitations.presented',
  `SELECT ${COLUMNS} FROM invitation WHERE secret_hash = $secretHash AND expires_at > $now`,
);

export const lockPresentedInvitation = statement<{ readonly secretHash: Buffer; readonly now: Date }, InvitationRow>(
  'invitations.lock-presented',
  `SELECT ${COLUMNS} FROM invitation WHERE secret_hash = $secretHash AND expires_at > $now FOR UPDATE`,
);

/** Of new accounts, by address; expired ones are included. */
export const selectInvitations = statement<
  { readonly kind: string; readonly ownerKey: string; readonly limit: number },
  InvitationRow
>(
  'invitations.list',
  `SELECT ${COLUMNS} FROM invitation WHERE kind = $kind AND owner_key = $ownerKey AND account_id IS NULL ORDER BY email LIMIT $limit`,
);

export const selectInvitation = statement<
  { readonly kind: string; readonly ownerKey: string; readonly invitationId: InvitationId },
  InvitationRow
>(
  'invitations.select',
  `SELECT ${COLUMNS} FROM invitation
   WHERE kind = $kind AND owner_key = $ownerKey AND invitation_id = $invitationId AND account_id IS NULL FOR UPDATE`,
);

export const deleteInvitation = statement<{ readonly invitationId: InvitationId }>(
  'invitations.delete',
  `DELETE FROM invitation WHERE invitation_id = $invitationId`,
);

/** Of new accounts, expired ones included, but for that of the address. */
export const countOtherInvitations = statement<
  { readonly kind: string; readonly ownerKey: string; readonly email: string },
  { invitations: number }
>(
  'invitations.count-others',
  `SELECT count(*)::int AS invitations FROM invitation
   WHERE kind = $kind AND owner_key = $ownerKey AND account_id IS NULL AND email <> $email`,
);

/** When the last link of the owner to the address was written. */
export const selectLastLink = statement<
  { readonly kind: string; readonly ownerKey: string; readonly email: string },
  { createdAt: Date }
>(
  'invitations.last-link',
  `SELECT created_at AS "createdAt" FROM invitation WHERE kind = $kind AND owner_key = $ownerKey AND email = $email`,
);

/** When the link of an account to a new password was written; the owner and the address are those of the account. */
export const selectLinkTime = statement<
  { readonly kind: string; readonly ownerKey: string; readonly email: string; readonly accountId: Uuid },
  { createdAt: Date }
>(
  'invitations.link-time',
  `SELECT created_at AS "createdAt" FROM invitation
   WHERE kind = $kind AND owner_key = $ownerKey AND email = $email AND account_id = $accountId`,
);

/** The open link of an account to a new password. */
export const deleteInvitationsOfAccount = statement<{ readonly accountId: Uuid }>(
  'invitations.delete-of-account',
  `DELETE FROM invitation WHERE account_id = $accountId`,
);
