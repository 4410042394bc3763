// Opens the session of an operator whose password was right: the second factor, where there is one, then what failed before is
// forgotten (decision 022).
import type { AuditOrigin } from '../audit/audit-event.ts';
import { done, type Outcome, refuse } from '../base/outcome.ts';
import type { Tx } from '../platform/database/database.ts';
import { stepOfCode } from './one-time-code.ts';
import { type OpenedSession, openSession } from './open-session.ts';
import { lockOperator, type OperatorRow, takeTotpStep } from './operator.sql.ts';
import { type Attempt, settleAttempt } from './sign-in-guard.ts';

export type Admission = {
  /** As `checkPassword` found it. */
  readonly operator: OperatorRow;
  readonly attempt: Attempt;
  readonly code: string | null;
  readonly userAgent: string;
  readonly origin: AuditOrigin;
};

/** `code_wrong` also for a code that was used before, and for an operator that is another since the password was looked at. */
export async function admitOperator(
  tx: Tx,
  { operator, attempt, code, userAgent, origin }: Admission,
  now: Date,
): Promise<Outcome<OpenedSession, 'totp_required' | 'code_wrong'>> {
  const { operatorId, name } = operator;
  const [present] = await tx.query(lockOperator, { operatorId, password: operator.password });
  if (present === undefined) return refuse('code_wrong');
  if (present.totpSecret !== null) {
    if (code === null) {
      await settleAttempt(tx, attempt, { complete: false, now });
      return refuse('totp_required');
    }
    const step = stepOfCode(present.totpSecret, code, now);
    const [taken] = step === null ? [] : await tx.query(takeTotpStep, { operatorId, step });
    if (taken === undefined) return refuse('code_wrong');
  }
  await settleAttempt(tx, attempt, { complete: true, now });
  const owner = { kind: 'operator', ownerKey: name, openedWith: operatorId } as const;
  return done(await openSession(tx, { owner, userAgent, origin }, now));
}
