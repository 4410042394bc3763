// Acknowledges a warning, so that it no longer stands first, and takes that back (contract 12.4).
import { appendAudit } from '../audit/append-audit.ts';
import type { AuditAuthor } from '../audit/audit-event.ts';
import type { Tx } from '../platform/database/database.ts';
import { acknowledgeWarningSql, reopenWarningSql } from './warning.sql.ts';

export type WarningName = { readonly kind: string; readonly subject: string };

/** It lasts until the warning is over. Changes nothing if someone has acknowledged it already. */
export async function acknowledgeWarning(
  tx: Tx,
  { kind, subject, author }: WarningName & { readonly author: AuditAuthor },
  now: Date,
): Promise<void> {
  const [changed] = await tx.query(acknowledgeWarningSql, { kind, subject, since: now, by: author.actor.name, now });
  if (changed !== undefined) await record(tx, { kind, subject, author, isAcknowledged: true }, now);
}

export async function reopenWarning(
  tx: Tx,
  { kind, subject, author }: WarningName & { readonly author: AuditAuthor },
  now: Date,
): Promise<void> {
  const [changed] = await tx.query(reopenWarningSql, { kind, subject });
  if (changed !== undefined) await record(tx, { kind, subject, author, isAcknowledged: false }, now);
}

type Change = WarningName & { readonly author: AuditAuthor; readonly isAcknowledged: boolean };

async function record(
  tx: Tx,
  { kind, subject, author: { actor, origin }, isAcknowledged }: Change,
  now: Date,
): Promise<void> {
  await appendAudit(tx, [
    {
      ...{ at: now, actor, ...origin, buyerKey: null, supplierKey: null },
      action: isAcknowledged ? 'warning.acknowledged' : 'warning.reopened',
      target: subject === '' ? kind : `${kind}:${subject}`,
      changes: { acknowledged: { from: !isAcknowledged, to: isAcknowledged } },
    },
  ]);
}
