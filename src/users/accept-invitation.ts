// Accepts an invitation: opens the account, or sets the new password of an existing one, and ends the link (contract 7.12).
import type { AuditOrigin } from '../audit/audit-event.ts';
import { done, type Outcome, refuse } from '../base/outcome.ts';
import type { Tx } from '../platform/database/database.ts';
import type { UserId } from '../base/ids.ts';
import { addOperator } from '../sessions/add-operator.ts';
import { setOperatorPassword } from '../sessions/change-operator.ts';
import type { OperatorRole } from '../sessions/operator.rules.ts';
import type { SessionKind } from '../sessions/session.ts';
import { hashSession } from '../sessions/session.ts';
import { addUser, setUserPassword } from './portal-users.ts';
import { deleteInvitation, type InvitationRow, lockPresentedInvitation } from './invitation.sql.ts';

export type Acceptance = {
  readonly secret: string;
  /** The accounts that the link may belong to. */
  readonly kinds: readonly SessionKind[];
  /** From `hashPassword`. */
  readonly passwordHash: string;
  readonly origin: AuditOrigin;
};

/** `account_exists`: somebody has opened an account of this name or address meanwhile; nothing is changed. */
export async function acceptInvitation(
  tx: Tx,
  { secret, kinds, passwordHash, origin }: Acceptance,
  now: Date,
): Promise<Outcome<InvitationRow, 'invitation_invalid' | 'account_exists'>> {
  const [invitation] = await tx.query(lockPresentedInvitation, { secretHash: hashSession(secret), now });
  if (invitation === undefined || !kinds.includes(invitation.kind)) return refuse('invitation_invalid');
  const opened = await setPassword(tx, invitation, { passwordHash, origin }, now);
  if (!opened.ok) return opened;
  await tx.query(deleteInvitation, { invitationId: invitation.invitationId });
  return done(invitation);
}

async function setPassword(
  tx: Tx,
  { kind, ownerKey, name, email, roles, accountId }: InvitationRow,
  { passwordHash, origin }: Pick<Acceptance, 'passwordHash' | 'origin'>,
  now: Date,
): Promise<Outcome<unknown, 'invitation_invalid' | 'account_exists'>> {
  if (kind !== 'operator') {
    const owner = { kind, ownerKey, passwordHash, origin } as const;
    if (accountId === null) return addUser(tx, { ...owner, email, name, roles }, now);
    const changed = await setUserPassword(tx, { ...owner, userId: accountId as UserId }, now);
    return changed.ok ? changed : refuse('invitation_invalid');
  }
  const actor = { type: 'operator', name } as const;
  if (accountId !== null) {
    const changed = await setOperatorPassword(tx, { name, actor, origin, passwordHash, onlyEnabled: true }, now);
    return changed.ok ? changed : refuse('invitation_invalid');
  }
  const role = roles[0] as OperatorRole;
  const added = await addOperator(tx, { name, email, role, passwordHash, totpSecret: null, actor, origin }, now);
  return added.ok ? added : refuse('account_exists');
}
