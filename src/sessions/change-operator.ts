// Changes an operator: password, role, disabled or enabled, second factor, open sessions (decisions 022 and 030).
import { appendAudit } from '../audit/append-audit.ts';
import { type AuditActor, type AuditChanges, type AuditOrigin, noOrigin } from '../audit/audit-event.ts';
import type { OperatorId } from '../base/ids.ts';
import { done, type Outcome, refuse } from '../base/outcome.ts';
import type { Tx } from '../platform/database/database.ts';
import type { OperatorRole } from './operator.rules.ts';
import {
  clearTotp,
  lockAdmins,
  selectDemoOperators,
  selectOperator,
  updateDisabled,
  updateEmail,
  updatePassword,
  updateRole,
} from './operator.sql.ts';
import { recordSessionEvents } from './session-events.ts';
import { endSessionsOfOperator } from './session.sql.ts';
import { unlockName } from './sign-in-guard.ts';

export type OperatorChange = {
  readonly name: string;
  readonly actor: AuditActor;
  /** None for the command line. */
  readonly origin?: AuditOrigin;
};
type Changed = Outcome<{ readonly endedSessions: number }, 'operator_not_found'>;
/** `last_admin`: no administrator would be left who could undo the change. */
type ChangedAdmin = Outcome<{ readonly endedSessions: number }, 'operator_not_found' | 'last_admin'>;

type NewPassword = OperatorChange & {
  readonly passwordHash: string;
  /** Whether a disabled operator is refused. */
  readonly onlyEnabled?: boolean;
};

/** Also unlocks the name after too many failed attempts: they were guesses at the old password. */
export async function setOperatorPassword(
  tx: Tx,
  { passwordHash, onlyEnabled = false, ...change }: NewPassword,
  now: Date,
): Promise<Changed> {
  const { name } = change;
  const [operator] = await tx.query(updatePassword, { name, passwordHash, onlyEnabled });
  if (operator === undefined) return refuse('operator_not_found');
  await unlockName(tx, name);
  await recordChange(tx, { ...change, action: 'operator.password_changed', changes: {} }, now);
  return done({ endedSessions: await endAll(tx, operator.operatorId, change, now) });
}

/** The address for links to a new password, and for sign-in with an identity provider. */
export async function setOperatorEmail(
  tx: Tx,
  { email, ...change }: OperatorChange & { readonly email: string },
  now: Date,
): Promise<Outcome<{ readonly operatorId: OperatorId }, 'operator_not_found' | 'operator_exists'>> {
  const [operator] = await tx.query(selectOperator, { name: change.name });
  if (operator === undefined) return refuse('operator_not_found');
  const [updated] = await tx.query(updateEmail, { name: change.name, email });
  if (updated === undefined) return refuse('operator_exists');
  const changes = { email: { from: updated.before, to: email } };
  if (updated.before !== email) await recordChange(tx, { ...change, action: 'operator.email_changed', changes }, now);
  return done({ operatorId: updated.operatorId });
}

/** Idempotent: a repetition writes no second event. */
export async function setOperatorDisabled(
  tx: Tx,
  change: OperatorChange & { readonly disabled: boolean },
  now: Date,
): Promise<ChangedAdmin> {
  if (change.disabled && (await isLastAdmin(tx, change.name))) return refuse('last_admin');
  return writeDisabled(tx, change, now);
}

/**
 * Disables the operators whose password is still the one that the demo printed, and returns their names. The only administrator is
 * disabled as well: the command line can add another one.
 */
export async function disableDemoOperators(tx: Tx, actor: AuditActor, now: Date): Promise<string[]> {
  const rows = await tx.query(selectDemoOperators);
  for (const { name } of rows) await writeDisabled(tx, { name, actor, disabled: true }, now);
  return rows.map(({ name }) => name);
}

async function writeDisabled(
  tx: Tx,
  { disabled, ...change }: OperatorChange & { readonly disabled: boolean },
  now: Date,
): Promise<Changed> {
  const { name } = change;
  const [operator] = await tx.query(updateDisabled, { name, disabledAt: disabled ? now : null });
  if (operator === undefined) return refuse('operator_not_found');
  if (operator.changed) {
    const action = disabled ? 'operator.disabled' : 'operator.enabled';
    await recordChange(tx, { ...change, action, changes: { disabled: { from: !disabled, to: disabled } } }, now);
  }
  return done({ endedSessions: disabled ? await endAll(tx, operator.operatorId, change, now) : 0 });
}

/** Open sessions stay and have the new role from their next look-up on. Idempotent: a repetition writes no second event. */
export async function setOperatorRole(
  tx: Tx,
  { role, ...change }: OperatorChange & { readonly role: OperatorRole },
  now: Date,
): Promise<ChangedAdmin> {
  const { name } = change;
  if (role !== 'admin' && (await isLastAdmin(tx, name))) return refuse('last_admin');
  const [operator] = await tx.query(updateRole, { name, role });
  if (operator === undefined) return refuse('operator_not_found');
  const changes = { role: { from: operator.before, to: role } };
  if (operator.before !== role) await recordChange(tx, { ...change, action: 'operator.role_changed', changes }, now);
  return done({ endedSessions: 0 });
}

/** For a lost authenticator. Ends all open sessions, because they may be in the wrong hands as well. */
export async function resetSecondFactor(tx: Tx, change: OperatorChange, now: Date): Promise<Changed> {
  const [operator] = await tx.query(clearTotp, { name: change.name });
  if (operator === undefined) return refuse('operator_not_found');
  const changes = { secondFactor: { from: true, to: false } };
  if (operator.changed) await recordChange(tx, { ...change, action: 'operator.second_factor_removed', changes }, now);
  return done({ endedSessions: operator.changed ? await endAll(tx, operator.operatorId, change, now) : 0 });
}

async function isLastAdmin(tx: Tx, name: string): Promise<boolean> {
  const admins = await tx.query(lockAdmins);
  return admins.length === 1 && admins[0]?.name === name;
}

/** Ends all sessions of the operator, who may sign in again. */
export async function signOutOperator(tx: Tx, change: OperatorChange, now: Date): Promise<Changed> {
  const [operator] = await tx.query(selectOperator, { name: change.name });
  if (operator === undefined) return refuse('operator_not_found');
  return done({ endedSessions: await endAll(tx, operator.operatorId, change, now) });
}

async function endAll(
  tx: Tx,
  operatorId: OperatorId,
  { actor, origin = noOrigin }: OperatorChange,
  now: Date,
): Promise<number> {
  const sessions = await tx.query(endSessionsOfOperator, { operatorId, now });
  await recordSessionEvents(tx, { action: 'session.ended', sessions, actor, origin }, now);
  return sessions.length;
}

type AuditedChange = OperatorChange & { readonly action: string; readonly changes: AuditChanges };

async function recordChange(
  tx: Tx,
  { name, actor, action, changes, origin = noOrigin }: AuditedChange,
  now: Date,
): Promise<void> {
  await appendAudit(tx, [
    { at: now, actor, buyerKey: null, supplierKey: null, action, target: name, changes, ...origin },
  ]);
}
