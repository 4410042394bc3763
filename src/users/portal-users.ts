// Changes the users of a partner or supplier: open an account, change roles, remove, reset the second factor (contract 7.12).
import type { AuditAuthor, AuditOrigin } from '../audit/audit-event.ts';
import { newUuid, type UserId } from '../base/ids.ts';
import { done, type Outcome, refuse } from '../base/outcome.ts';
import type { Tx } from '../platform/database/database.ts';
import type { UserRole } from '../platform/http/permission.rules.ts';
import { endSessionsOfUser } from '../sessions/end-session.ts';
import { unlockName } from '../sessions/sign-in-guard.ts';
import { recordUserEvent, type UserOwner, withdrawLinks } from './invitations.ts';
import {
  clearUserTotp,
  insertUser,
  type ListedUserRow,
  lockUser,
  removeUserSql,
  selectUserByEmail,
  selectUsers,
  updateUserPassword,
  updateUserRoles,
  type UserRow,
} from './portal-user.sql.ts';
import { guardName, normalizedRoles } from './user.rules.ts';

export type ListedUser = ListedUserRow;

/** Far more than an account has users. */
const SHOWN = 500;

/** By address. */
export function listUsers(tx: Tx, { kind, ownerKey }: UserOwner): Promise<ListedUser[]> {
  return tx.query(selectUsers, { kind, ownerKey, limit: SHOWN });
}

/** The user of the account with the address; null also for a user of another account, which nobody is told about. */
export async function findUserOf(
  tx: Tx,
  { kind, ownerKey }: UserOwner,
  email: string,
): Promise<{ userId: UserId } | null> {
  const [user] = await tx.query(selectUserByEmail, { email });
  return user?.kind === kind && user.ownerKey === ownerKey ? { userId: user.userId } : null;
}

export type NewUser = UserOwner & {
  /** In lower case. */
  readonly email: string;
  readonly name: string;
  readonly roles: readonly string[];
  /** From `hashPassword`. */
  readonly passwordHash: string;
  readonly origin: AuditOrigin;
};

/** `account_exists`: the address has an account, perhaps with another partner. */
export async function addUser(
  tx: Tx,
  input: NewUser,
  now: Date,
): Promise<Outcome<{ userId: UserId }, 'account_exists'>> {
  const { kind, ownerKey, email, name, passwordHash, origin } = input;
  const roles = normalizedRoles(input.roles);
  const [added] = await tx.query(insertUser, {
    userId: newUuid(),
    kind,
    ownerKey,
    email,
    name,
    roles,
    passwordHash,
    now,
  });
  if (added === undefined) return refuse('account_exists');
  const changes = { name: { from: null, to: name }, roles: { from: null, to: roles.join(', ') } };
  const actor = { type: kind, name: email };
  await recordUserEvent(tx, { kind, ownerKey, action: 'added', target: email, changes, actor, origin }, now);
  return done(added);
}

export type UserChange = UserOwner & { readonly userId: UserId } & AuditAuthor;
type Changed = Outcome<{ readonly email: string }, 'user_not_found'>;

/** Open sessions stay and have the new roles from their next look-up on. */
export async function setUserRoles(
  tx: Tx,
  { roles: wanted, ...change }: UserChange & { readonly roles: readonly UserRole[] },
  now: Date,
): Promise<Changed> {
  const user = await lockOf(tx, change);
  if (user === null) return refuse('user_not_found');
  const roles = normalizedRoles(wanted);
  const changes = { roles: { from: user.roles.join(', '), to: roles.join(', ') } };
  if (changes.roles.from !== changes.roles.to) {
    await tx.query(updateUserRoles, { userId: user.userId, roles });
    await recordUserEvent(tx, { ...change, action: 'roles_changed', target: user.email, changes }, now);
  }
  return done({ email: user.email });
}

/** Ends the sessions of the user and the link to a new password; the address may be invited again. */
export async function removeUser(tx: Tx, change: UserChange, now: Date): Promise<Changed> {
  const user = await lockOf(tx, change);
  if (user === null) return refuse('user_not_found');
  await tx.query(removeUserSql, { userId: user.userId, now });
  await withdrawLinks(tx, user.userId);
  await recordUserEvent(tx, { ...change, action: 'removed', target: user.email, changes: {} }, now);
  await endSessionsOfUser(tx, { userId: user.userId, actor: change.actor, origin: change.origin }, now);
  return done({ email: user.email });
}

/** For a lost authenticator. Ends all open sessions, because they may be in the wrong hands as well. */
export async function resetUserFactor(tx: Tx, change: UserChange, now: Date): Promise<Changed> {
  const user = await lockOf(tx, change);
  if (user === null) return refuse('user_not_found');
  if (user.totpSecret !== null) {
    await tx.query(clearUserTotp, { userId: user.userId });
    const changes = { secondFactor: { from: true, to: false } };
    await recordUserEvent(tx, { ...change, action: 'second_factor_removed', target: user.email, changes }, now);
    await endSessionsOfUser(tx, { userId: user.userId, actor: change.actor, origin: change.origin }, now);
  }
  return done({ email: user.email });
}

export async function findUser(tx: Tx, owned: UserOwner & { readonly userId: UserId }): Promise<UserRow | null> {
  return lockOf(tx, owned);
}

/** By the user's own link. Ends the sessions, and unlocks the address after too many failed attempts. */
export async function setUserPassword(
  tx: Tx,
  {
    userId,
    passwordHash,
    origin,
    ...owner
  }: UserOwner & {
    readonly userId: UserId;
    readonly passwordHash: string;
    readonly origin: AuditOrigin;
  },
  now: Date,
): Promise<Changed> {
  const [user] = await tx.query(updateUserPassword, { userId, passwordHash });
  if (user === undefined) return refuse('user_not_found');
  const { email } = user;
  await unlockName(tx, guardName(email));
  const actor = { type: owner.kind, name: email };
  await recordUserEvent(tx, { ...owner, action: 'password_changed', target: email, changes: {}, actor, origin }, now);
  await endSessionsOfUser(tx, { userId, actor, origin }, now);
  return done({ email });
}

async function lockOf(
  tx: Tx,
  { kind, ownerKey, userId }: UserOwner & { readonly userId: UserId },
): Promise<UserRow | null> {
  const [user] = await tx.query(lockUser, { kind, ownerKey, userId });
  return user ?? null;
}
