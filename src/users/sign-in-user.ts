// Signs a user of a partner or supplier in: checks password and second factor, and opens the session (contract 7.12).
import type { AuditOrigin } from '../audit/audit-event.ts';
import { type Outcome, refuse } from '../base/outcome.ts';
import type { Tx } from '../platform/database/database.ts';
import type { OpenedSession } from '../sessions/open-session.ts';
import { completeSignIn, isPasswordOf } from '../sessions/sign-in.ts';
import type { Attempt } from '../sessions/sign-in-guard.ts';
import { lockUserWithPassword, selectUserByEmail, takeUserTotpStep, type UserRow } from './portal-user.sql.ts';

export type SigningUser = UserRow;

/** Null for a wrong password and for an unknown address, which takes as long. */
export async function checkUserPassword(
  tx: Tx,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<SigningUser | null> {
  const [user] = await tx.query(selectUserByEmail, { email });
  return (await isPasswordOf(password, user?.password ?? null)) ? (user ?? null) : null;
}

/** Of the address, whoever tries: for the audit log of the account. */
export async function findSigningUser(tx: Tx, email: string): Promise<SigningUser | null> {
  const [user] = await tx.query(selectUserByEmail, { email });
  return user ?? null;
}

export type UserAdmission = {
  /** As `checkUserPassword` found it. */
  readonly user: SigningUser;
  readonly attempt: Attempt;
  readonly code: string | null;
  readonly userAgent: string;
  readonly origin: AuditOrigin;
};

/**
 * Opens the session after the password was checked, and resets the counted failures. `code_wrong` also for a code that was used before,
 * and for a user who was changed or removed since the password check.
 */
export async function admitUser(
  tx: Tx,
  { user, attempt, code, userAgent, origin }: UserAdmission,
  now: Date,
): Promise<Outcome<OpenedSession, 'totp_required' | 'code_wrong'>> {
  const { userId, kind, ownerKey, email } = user;
  const [present] = await tx.query(lockUserWithPassword, { userId, password: user.password });
  if (present === undefined) return refuse('code_wrong');
  const owner = { kind, ownerKey, openedWith: userId, userEmail: email } as const;
  const takeStep = (step: number) => tx.query(takeUserTotpStep, { userId, step });
  return completeSignIn(tx, { totpSecret: present.totpSecret, takeStep, owner, attempt, code, userAgent, origin }, now);
}
