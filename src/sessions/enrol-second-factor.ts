// Sets up an operator's second factor in two steps: shows a secret, and activates it after a code made from it (decision 030).
import { appendAudit } from '../audit/append-audit.ts';
import type { AuditOrigin } from '../audit/audit-event.ts';
import type { OperatorId } from '../base/ids.ts';
import { done, type Outcome, refuse } from '../base/outcome.ts';
import type { Tx } from '../platform/database/database.ts';
import { newTotpSecret, stepOfCode, totpUri } from './one-time-code.ts';
import { confirmTotp, lockPendingTotp, setPendingTotp } from './operator.sql.ts';

export type NewSecondFactor = { readonly secret: string; readonly uri: string };

/** Each call makes a new secret and invalidates the one before it. */
export async function beginSecondFactor(
  tx: Tx,
  operatorId: OperatorId,
): Promise<Outcome<NewSecondFactor, 'second_factor_set'>> {
  const secret = newTotpSecret();
  const [operator] = await tx.query(setPendingTotp, { operatorId, secret });
  return operator === undefined ? refuse('second_factor_set') : done({ secret, uri: totpUri(operator.name, secret) });
}

export type SecondFactorConfirmation = {
  readonly operatorId: OperatorId;
  readonly name: string;
  /** Six digits. */
  readonly code: string;
  readonly origin: AuditOrigin;
};

/** `code_wrong` also if `beginSecondFactor` was not called before. */
export async function confirmSecondFactor(
  tx: Tx,
  { operatorId, name, code, origin }: SecondFactorConfirmation,
  now: Date,
): Promise<Outcome<null, 'second_factor_set' | 'code_wrong'>> {
  const [row] = await tx.query(lockPendingTotp, { operatorId });
  if (row?.isSet === true) return refuse('second_factor_set');
  const pending = row?.pending ?? null;
  const step = pending === null ? null : stepOfCode(pending, code, now);
  if (step === null) return refuse('code_wrong');
  await tx.query(confirmTotp, { operatorId, step });
  await appendAudit(tx, [
    {
      at: now,
      actor: { type: 'operator', name },
      buyerKey: null,
      supplierKey: null,
      action: 'operator.second_factor_added',
      target: name,
      changes: { secondFactor: { from: false, to: true } },
      ...origin,
    },
  ]);
  return done(null);
}
