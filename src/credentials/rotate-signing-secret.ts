// Replaces a signing secret; what is sent during the next 24 h carries a signature of each (contract 5.9).
import { strict as assert } from 'node:assert';

import { appendAudit } from '../audit/append-audit.ts';
import { type AuditActor, type AuditOrigin, noOrigin } from '../audit/audit-event.ts';
import type { Tx } from '../platform/database/database.ts';
import { auditOwner } from './audit-owner.rules.ts';
import { readSigningSecrets } from './read-signing-secrets.ts';
import { newSigningSecret, OVERLAP_MS, type SecretOwner, type SigningSecrets } from './signing-secret.ts';
import { rotateSigningSecretRow } from './signing-secrets.sql.ts';

export type SecretRotation = { readonly owner: SecretOwner; readonly actor: AuditActor; readonly origin?: AuditOrigin };

/** A second rotation within the 24 h drops the oldest secret at once: that is how a leaked one is got rid of. */
export async function rotateSigningSecret(
  tx: Tx,
  { owner, actor, origin = noOrigin }: SecretRotation,
  now: Date,
): Promise<SigningSecrets> {
  const validUntil = new Date(now.getTime() + OVERLAP_MS);
  await tx.query(rotateSigningSecretRow, {
    kind: owner.kind,
    key: owner.key,
    secret: newSigningSecret(),
    now,
    validUntil,
  });
  const secrets = await readSigningSecrets(tx, owner, now);
  assert(secrets !== null, 'a signing secret is gone that was there a statement ago');
  await appendAudit(tx, [
    {
      at: now,
      actor,
      ...auditOwner(owner.kind, owner.key),
      action: 'secret.rotated',
      target: owner.key,
      changes: { previousValidUntil: { from: null, to: secrets.previous?.validUntil.toISOString() ?? null } },
      ...origin,
    },
  ]);
  return secrets;
}
