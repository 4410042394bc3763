// Revokes the key and the token that the demo printed.
import type { AuditActor } from '../audit/audit-event.ts';
import { typeId, type Uuid } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import { type Credential, type CredentialKind, credentialKinds, idKindOf } from './credential.ts';
import { selectDemoCredentials } from './credentials.sql.ts';
import { revokeCredential } from './revoke-credential.ts';

type Row = { readonly credentialId: Uuid; readonly kind: CredentialKind; readonly owner: string };

/** Answers those that were still valid. */
export async function revokeDemoCredentials(
  tx: Tx,
  actor: AuditActor,
  now: Date,
): Promise<Array<Pick<Credential, 'id' | 'kind' | 'owner'>>> {
  const rows = await tx.query<Row>(selectDemoCredentials);
  for (const { credentialId } of rows) await revokeCredential(tx, { kinds: credentialKinds, credentialId, actor }, now);
  return rows.map(({ credentialId, kind, owner }) => ({ id: typeId(idKindOf(kind), credentialId), kind, owner }));
}
