// Revokes a credential for good; every process refuses it within 5 s (contract 2.2).
import { strict as assert } from 'node:assert';

import { appendAudit } from '../audit/append-audit.ts';
import { type AuditActor, type AuditOrigin, noOrigin } from '../audit/audit-event.ts';
import { type CredentialId, typeId } from '../base/ids.ts';
import { done, type Outcome, refuse } from '../base/outcome.ts';
import type { Tx } from '../platform/database/database.ts';
import { auditOwner } from './audit-owner.rules.ts';
import { type CredentialKind, idKindOf } from './credential.ts';
import { revokeOnce, selectRevokedAt } from './credentials.sql.ts';

export type Revocation = {
  /** A credential of another kind is not found, so that a key's id names no token. */
  readonly kinds: readonly CredentialKind[];
  readonly credentialId: CredentialId;
  /** Somebody else's is not found, too; anybody's may be revoked where it is left out. */
  readonly ownerKey?: string;
  readonly actor: AuditActor;
  readonly origin?: AuditOrigin;
};

/** Repeating it is fine: the first time of revocation stays and no second event is written. */
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
