// Lists credentials without their secrets, revoked and expired ones too (contract 2.2).
import { LAST_ID } from '../base/id-time.ts';
import { typeId, type Uuid } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import { type Credential, type CredentialKind, idKindOf } from './credential.ts';
import { selectCredentials } from './credentials.sql.ts';

/** Newest first, from behind the credential `after`. An `ownerKey` of null lists every owner's, without a `limit` all are. */
export async function listCredentials(
  tx: Tx,
  {
    kinds,
    ownerKey,
    after = null,
    limit = null,
  }: { kinds: readonly CredentialKind[]; ownerKey: string | null; after?: Uuid | null; limit?: number | null },
): Promise<Credential[]> {
  const rows = await tx.query(selectCredentials, { kinds, ownerKey, after: after ?? LAST_ID, limit });
  return rows.map((row) => ({ ...row, id: typeId(idKindOf(row.kind), row.id) }));
}
