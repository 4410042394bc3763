// Signs an operator in: checks password and second factor, opens the session, and records failed attempts (decision 022).
import { appendAudit } from '../audit/append-audit.ts';
import type { AuditOrigin } from '../audit/audit-event.ts';
import { done, type Outcome, refuse } from '../base/outcome.ts';
import type { Tx } from '../platform/database/database.ts';
import { stepOfCode } from './one-time-code.ts';
import { type NewSession, type OpenedSession, openSession } from './open-session.ts';
import { isOperatorName } from './operator.rules.ts';
import { lockOperator, type OperatorRow, takeTotpStep, selectOperator } from './operator.sql.ts';
import { hashPassword, isPassword } from './password.ts';
import { ownersOf } from './session-events.ts';
import type { SessionKind } from './session.ts';
import { type Attempt, settleAttempt } from './sign-in-guard.ts';

export type Admission = {
  /** As `checkPassword` found it. */
  readonly operator: OperatorRow;
  readonly attempt: Attempt;
  readonly code: string | null;
  readonly userAgent: string;
  readonly origin: AuditOrigin;
};

/**
 * Opens the session after the password was checked, and resets the counted failures. `code_wrong` also for a code that was used before,
 * and for an operator that was changed or disabled since the password check.
 */
export async function admitOperator(
  tx: Tx,
  { operator, attempt, code, userAgent, origin }: Admission,
  now: Date,
): Promise<Outcome<OpenedSession, 'totp_required' | 'code_wrong'>> {
  const { operatorId, name } = operator;
  const [present] = await tx.query(lockOperator, { operatorId, password: operator.password });
  if (present === undefined) return refuse('code_wrong');
  const owner = { kind: 'operator', ownerKey: name, openedWith: operatorId } as const;
  const takeStep = (step: number) => tx.query(takeTotpStep, { operatorId, step });
  return completeSignIn(tx, { totpSecret: present.totpSecret, takeStep, owner, attempt, code, userAgent, origin }, now);
}

export type SignInCompletion = NewSession &
  Pick<Admission, 'attempt' | 'code'> & {
    /** Null for an account without a second factor. */
    readonly totpSecret: string | null;
    /** Returns no row for a step that is not later than the last one, so that no code works twice. */
    readonly takeStep: (step: number) => Promise<readonly unknown[]>;
  };

/** The part that follows on the password, for operators and for users of partners and suppliers; the caller has locked the account. */
export async function completeSignIn(
  tx: Tx,
  { totpSecret, takeStep, attempt, code, ...session }: SignInCompletion,
  now: Date,
): Promise<Outcome<OpenedSession, 'totp_required' | 'code_wrong'>> {
  if (totpSecret !== null) {
    if (code === null) {
      await settleAttempt(tx, attempt, { complete: false, now });
      return refuse('totp_required');
    }
    const step = stepOfCode(totpSecret, code, now);
    if (step === null || (await takeStep(step)).length === 0) return refuse('code_wrong');
  }
  await settleAttempt(tx, attempt, { complete: true, now });
  return done(await openSession(tx, session, now));
}

/** Null for an unknown or disabled operator and for a wrong password; an unknown name takes as long as a wrong password. */
export async function checkPassword(
  tx: Tx,
  { name, password }: { readonly name: string; readonly password: string },
): Promise<OperatorRow | null> {
  const [operator] = isOperatorName(name) ? await tx.query(selectOperator, { name }) : [];
  const isRight = await isPasswordOf(password, operator?.password ?? null);
  return isRight && operator?.disabledAt === null ? operator : null;
}

/** False without a stored password, which takes as long as a wrong one. */
export async function isPasswordOf(password: string, stored: string | null): Promise<boolean> {
  return (await isPassword(password, stored ?? (await decoyPassword()))) && stored !== null;
}

let decoy: Promise<string> | null = null;

/** The hash of an unguessable password, computed once. */
function decoyPassword(): Promise<string> {
  decoy ??= hashPassword(`decoy ${process.hrtime.bigint()}`);
  return decoy;
}

type FailedSignIn = {
  readonly kind: SessionKind;
  readonly ownerKey: string;
  /** The operator's name, the user's address, or the id of the credential. */
  readonly target: string;
  readonly origin: AuditOrigin;
};

/** Writes the account and the origin of the attempt into the audit log, never what was typed. */
export async function recordFailedSignIn(
  tx: Tx,
  { kind, ownerKey, target, origin }: FailedSignIn,
  now: Date,
): Promise<void> {
  await appendAudit(tx, [
    {
      at: now,
      // The author is unknown: the attempt failed.
      actor: { type: 'system', name: kind === 'operator' ? 'console' : 'portal' },
      ...ownersOf({ kind, ownerKey }),
      action: 'session.refused',
      target,
      changes: {},
      ...origin,
    },
  ]);
}

/** The name to write into the audit log. An unknown name is left out, because it may be a password typed into the wrong field. */
export async function shownName(tx: Tx, name: string): Promise<string> {
  const [operator] = isOperatorName(name) ? await tx.query(selectOperator, { name }) : [];
  return operator?.name ?? 'unknown name';
}
