// Revokes a credential permanently; every process rejects it within 5 s (contract 2.2).
import { strict as assert } from 'node:assert';

import { appendAudit } from '../audit/append-audit.ts';
import { type AuditActor, type AuditOrigin, noOrigin } from '../audit/audit-event.ts';
import { type CredentialId, typeId } from '../base/ids.ts';
import { done, type Outcome, refuse } from '../base/outcome.ts';
import type { Tx } from '../platform/database/database.ts';
import { auditOwner, type CredentialKind, idKindOf, type Credential, credentialKinds } from './credential.ts';
import { revokeOnce, selectRevokedAt, selectDemoCredentials } from './credentials.sql.ts';

export type Revocation = {
  /** A credential of another kind is not found. */
  readonly kinds: readonly CredentialKind[];
  readonly credentialId: CredentialId;
  /** A credential of another owner is not found; without it, any owner's is. */
  readonly ownerKey?: string;
  readonly actor: AuditActor;
  readonly origin?: AuditOrigin;
};

/** Idempotent: the first time of revocation stays, and a repetition writes no second event. */
export async function revokeCredential(
  tx: Tx,
  { kinds, credentialId, ownerKey, actor, origin = noOrigin }: Revocation,
  now: Date,
): Promise<Outcome<{ revokedAt: Date }, 'credential_not_found'>> {
  const [revoked] = await tx.query(revokeOnce, { credentialId, kinds, now, ownerKey: ownerKey ?? null });
  if (revoked === undefined) {
    const [before] = await tx.query(selectRevokedAt, {
      credentialId,
      kinds,
      ownerKey: ownerKey ?? null,
    });
    if (before === undefined) return refuse('credential_not_found');
    assert(before.revokedAt !== null, 'a credential can be neither revoked nor not revoked');
    return done({ revokedAt: before.revokedAt });
  }
  await appendAudit(tx, [
    {
      at: now,
      actor,
      ...auditOwner(revoked.kind, revoked.owner),
      action: `${idKindOf(revoked.kind)}.revoked`,
      target: typeId(idKindOf(revoked.kind), credentialId),
      changes: { revokedAt: { from: null, to: now.toISOString() } },
      ...origin,
    },
  ]);
  return done({ revokedAt: now });
}

/** Revokes the key and the token that the demo printed, and returns the ones that were still valid. */
export async function revokeDemoCredentials(
  tx: Tx,
  actor: AuditActor,
  now: Date,
): Promise<Array<Pick<Credential, 'id' | 'kind' | 'owner'>>> {
  const rows = await tx.query(selectDemoCredentials);
  for (const { credentialId } of rows) await revokeCredential(tx, { kinds: credentialKinds, credentialId, actor }, now);
  return rows.map(({ credentialId, kind, owner }) => ({ id: typeId(idKindOf(kind), credentialId), kind, owner }));
}
