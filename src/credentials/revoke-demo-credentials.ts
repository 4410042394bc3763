// Revokes the key and the token that the demo printed.
import type { AuditActor } from '../audit/audit-event.ts';
import { typeId } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import { type Credential, credentialKinds, idKindOf } from './credential.ts';
import { selectDemoCredentials } from './credentials.sql.ts';
import { revokeCredential } from './revoke-credential.ts';

/** Answers those that were still valid. */
export async function revokeDemoCredentials(
  tx: Tx,
  actor: AuditActor,
  now: Date,
): Promise<Array<Pick<Credential, 'id' | 'kind' | 'owner'>>> {
  const rows = await tx.query(selectDemoCredentials);
  for (const { credentialId } of rows) await revokeCredential(tx, { kinds: credentialKinds, credentialId, actor }, now);
  return rows.map(({ credentialId, kind, owner }) => ({ id: typeId(idKindOf(kind), credentialId), kind, owner }));
}
