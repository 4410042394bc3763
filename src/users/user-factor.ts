// Sets up the second factor of a partner's or supplier's user: shows a secret, and activates it after a code made from it (contract 7.12).
import type { AuditAuthor } from '../audit/audit-event.ts';
import type { UserId } from '../base/ids.ts';
import { done, type Outcome, refuse } from '../base/outcome.ts';
import type { Tx } from '../platform/database/database.ts';
import type { NewSecondFactor } from '../sessions/enrol-second-factor.ts';
import { newTotpSecret, stepOfCode, totpUri } from '../sessions/one-time-code.ts';
import { recordUserEvent, type UserOwner } from './invitations.ts';
import { confirmUserTotp, lockPendingUserTotp, setPendingUserTotp } from './portal-user.sql.ts';

/** Each call makes a new secret and invalidates the one before it. */
export async function beginUserFactor(tx: Tx, userId: UserId): Promise<Outcome<NewSecondFactor, 'second_factor_set'>> {
  const secret = newTotpSecret();
  const [user] = await tx.query(setPendingUserTotp, { userId, secret });
  return user === undefined ? refuse('second_factor_set') : done({ secret, uri: totpUri(user.email, secret) });
}

export type UserFactorConfirmation = UserOwner &
  AuditAuthor & { readonly userId: UserId; readonly email: string; readonly code: string };

/** `code_wrong` also if `beginUserFactor` was not called before. */
export async function confirmUserFactor(
  tx: Tx,
  { userId, email, code, ...author }: UserFactorConfirmation,
  now: Date,
): Promise<Outcome<null, 'second_factor_set' | 'code_wrong'>> {
  const [row] = await tx.query(lockPendingUserTotp, { userId });
  if (row?.isSet === true) return refuse('second_factor_set');
  const pending = row?.pending ?? null;
  const step = pending === null ? null : stepOfCode(pending, code, now);
  if (step === null) return refuse('code_wrong');
  await tx.query(confirmUserTotp, { userId, step });
  const changes = { secondFactor: { from: false, to: true } };
  await recordUserEvent(tx, { ...author, action: 'second_factor_added', target: email, changes }, now);
  return done(null);
}
