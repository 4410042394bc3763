// Shows a signing secret to an operator who asked for it on a page, and puts on record that he saw it.
import { appendAudit } from '../audit/append-audit.ts';
import type { AuditActor, AuditOrigin } from '../audit/audit-event.ts';
import type { Tx } from '../platform/database/database.ts';
import { ensureSigningSecret } from './ensure-signing-secret.ts';
import type { SecretOwner, SigningSecrets } from './signing-secret.ts';

export type SecretView = { readonly owner: SecretOwner; readonly actor: AuditActor; readonly origin: AuditOrigin };

/** The record is the operator's alone: nothing was changed for the owner. */
export async function showSigningSecret(
  tx: Tx,
  { owner, actor, origin }: SecretView,
  now: Date,
): Promise<SigningSecrets> {
  const secrets = await ensureSigningSecret(tx, owner, now);
  await appendAudit(tx, [
    {
      at: now,
      actor,
      buyerKey: null,
      supplierKey: null,
      action: 'secret.shown',
      target: owner.key,
      changes: {},
      ...origin,
    },
  ]);
  return secrets;
}
