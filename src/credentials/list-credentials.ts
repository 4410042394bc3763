// Lists credentials without their secrets, revoked and expired ones too (contract 2).
import { typeId } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import { type Credential, type CredentialKind, idKindOf } from './credential.ts';
import { selectCredentials } from './credentials.sql.ts';

/** Newest first. An `ownerKey` of null lists every owner's. */
export async function listCredentials(
  tx: Tx,
  { kinds, ownerKey }: { kinds: readonly CredentialKind[]; ownerKey: string | null },
): Promise<Credential[]> {
  const rows = await tx.query<Credential>(selectCredentials, [kinds, ownerKey]);
  return rows.map((row) => Object.assign(row, { id: typeId(idKindOf(row.kind), row.id) }));
}
