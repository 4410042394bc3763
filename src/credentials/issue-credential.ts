// Issues a supplier key, buyer token or operator token; the result is the only place that holds its secret (contract 2.1).
import { appendAudit } from '../audit/append-audit.ts';
import { type AuditActor, type AuditOrigin, noOrigin } from '../audit/audit-event.ts';
import { maskSecrets } from '../audit/secret-mask.rules.ts';
import { type CredentialId, newUuid, typeId } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import { auditOwner, type CredentialKind, idKindOf } from './credential.ts';
import type { OperatorScope } from './operator-scopes.rules.ts';
import { insertCredential } from './credentials.sql.ts';
import { hashSecret, newSecret } from './secret-text.ts';

export type NewCredential = {
  readonly kind: CredentialKind;
  /** The key of an existing supplier or buyer (the caller checks it), or the operator's name. */
  readonly ownerKey: string;
  readonly label: string | null;
  /** Of an operator's token; others have none. */
  readonly scopes?: readonly OperatorScope[];
  readonly expiresAt: Date | null;
  /** Whether the demo prints it; it is revoked when the demo ends. */
  readonly isDemo?: boolean;
  readonly actor: AuditActor;
  readonly origin?: AuditOrigin;
};

export async function issueCredential(
  tx: Tx,
  { kind, ownerKey, label, scopes, expiresAt, isDemo = false, actor, origin = noOrigin }: NewCredential,
  now: Date,
): Promise<{ credentialId: CredentialId; secret: string }> {
  const credentialId = newUuid();
  const secret = newSecret(kind);
  const shownLabel = label === null ? null : maskSecrets(label);
  await tx.query(insertCredential, {
    credentialId,
    kind,
    ownerKey,
    secretHash: hashSecret(secret),
    last4: secret.slice(-4),
    shownLabel,
    scopes: scopes ?? null,
    now,
    expiresAt,
    isDemo,
  });
  await appendAudit(tx, [
    {
      at: now,
      actor,
      ...auditOwner(kind, ownerKey),
      action: `${idKindOf(kind)}.issued`,
      target: typeId(idKindOf(kind), credentialId),
      changes: {
        label: { from: null, to: shownLabel },
        ...(scopes === undefined
          ? {}
          : { name: { from: null, to: ownerKey }, scopes: { from: null, to: [...scopes] } }),
        expiresAt: { from: null, to: expiresAt?.toISOString() ?? null },
      },
      ...origin,
    },
  ]);
  return { credentialId, secret };
}
