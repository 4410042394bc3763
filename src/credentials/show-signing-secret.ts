// Shows a signing secret to its owner or to an operator, and puts on record who saw it.
import { appendAudit } from '../audit/append-audit.ts';
import type { AuditActor, AuditOrigin } from '../audit/audit-event.ts';
import type { Tx } from '../platform/database/database.ts';
import { auditOwner } from './audit-owner.rules.ts';
import { ensureSigningSecret } from './ensure-signing-secret.ts';
import type { SecretOwner, SigningSecrets } from './signing-secret.ts';

export type SecretView = {
  readonly owner: SecretOwner;
  readonly actor: AuditActor;
  readonly origin: AuditOrigin;
  /** Whether the owner itself asks: the record is then in its own trail. An operator's is the operator's alone, as nothing was changed. */
  readonly isOwn: boolean;
};

export async function showSigningSecret(
  tx: Tx,
  { owner, actor, origin, isOwn }: SecretView,
  now: Date,
): Promise<SigningSecrets> {
  const secrets = await ensureSigningSecret(tx, owner, now);
  await appendAudit(tx, [
    {
      at: now,
      actor,
      ...(isOwn ? auditOwner(owner.kind, owner.key) : { buyerKey: null, supplierKey: null }),
      action: 'secret.shown',
      target: owner.key,
      changes: {},
      ...origin,
    },
  ]);
  return secrets;
}
