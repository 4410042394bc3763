// Notes a failed sign-in in the audit log: whom it was tried as and from where, never what was typed (decision 022).
import { appendAudit } from '../audit/append-audit.ts';
import type { AuditOrigin } from '../audit/audit-event.ts';
import type { Tx } from '../platform/database/database.ts';
import { isOperatorName } from './operator-name.rules.ts';
import { ownersOf } from './session-events.ts';
import { selectOperator } from './operator.sql.ts';
import type { SessionKind } from './session.ts';

type Tried = {
  readonly kind: SessionKind;
  readonly ownerKey: string;
  /** The operator's name, or the id of the credential. */
  readonly target: string;
  readonly origin: AuditOrigin;
};

export async function recordFailedSignIn(tx: Tx, { kind, ownerKey, target, origin }: Tried, now: Date): Promise<void> {
  await appendAudit(tx, [
    {
      at: now,
      // It may have been anybody.
      actor: { type: 'system', name: kind === 'operator' ? 'console' : 'portal' },
      ...ownersOf({ kind, ownerKey }),
      action: 'session.refused',
      target,
      changes: {},
      ...origin,
    },
  ]);
}

/** A name that nobody has is not repeated: it may be a password in the wrong field. */
export async function shownName(tx: Tx, name: string): Promise<string> {
  const [operator] = isOperatorName(name) ? await tx.query(selectOperator, { name }) : [];
  return operator?.name ?? 'unknown name';
}
