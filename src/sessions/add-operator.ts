// Adds an operator of the console (decision 022).
import { appendAudit } from '../audit/append-audit.ts';
import { type AuditActor, type AuditOrigin, noOrigin } from '../audit/audit-event.ts';
import { newUuid, type OperatorId } from '../base/ids.ts';
import { done, type Outcome, refuse } from '../base/outcome.ts';
import type { Tx } from '../platform/database/database.ts';
import type { OperatorRole } from './operator.rules.ts';
import { insertOperator } from './operator.sql.ts';

export type NewOperator = {
  /** Must satisfy `isOperatorName`; the caller checks it. */
  readonly name: string;
  /** From `hashPassword`. */
  readonly passwordHash: string;
  /** In base32; null for no second factor. */
  readonly totpSecret: string | null;
  readonly role?: OperatorRole;
  /** In lower case; null for none. */
  readonly email?: string | null;
  /** Whether the password is the one that the demo prints; it stops working when the demo ends. */
  readonly isDemo?: boolean;
  readonly actor: AuditActor;
  readonly origin?: AuditOrigin;
};

/** `operator_exists`: one has the name or the email address. */
export async function addOperator(
  tx: Tx,
  {
    name,
    passwordHash,
    totpSecret,
    role = 'admin',
    email = null,
    isDemo = false,
    actor,
    origin = noOrigin,
  }: NewOperator,
  now: Date,
): Promise<Outcome<{ operatorId: OperatorId }, 'operator_exists'>> {
  const [added] = await tx.query(insertOperator, {
    operatorId: newUuid(),
    name,
    passwordHash,
    totpSecret,
    now,
    role,
    email,
    demoPasswordHash: isDemo ? passwordHash : null,
  });
  if (added === undefined) return refuse('operator_exists');
  await appendAudit(tx, [
    {
      at: now,
      actor,
      buyerKey: null,
      supplierKey: null,
      action: 'operator.added',
      target: name,
      changes: { role: { from: null, to: role }, secondFactor: { from: null, to: totpSecret !== null } },
      ...origin,
    },
  ]);
  return done(added);
}
