// Lists credentials without their secrets, and finds the credential of a presented secret (contract 2.2, decision 022).
import { LAST_ID } from '../base/id-time.ts';
import { typeId, uuidOf, type Uuid } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import { type Credential, type CredentialKind, idKindOf } from './credential.ts';
import { selectCredentials, selectEverPresented, selectTokenLabels, type EverPresented } from './credentials.sql.ts';
import { hashSecret } from './secret-text.ts';

/** Newest first, after the credential `after`, with revoked and expired ones. A null `ownerKey` means every owner, no `limit` all rows. */
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
  return rows.map(({ scopes, ...row }) => ({
    ...row,
    id: typeId(idKindOf(row.kind), row.id),
    ...(scopes === null ? {} : { scopes }),
  }));
}

/** The labels of a partner's tokens by their `tok_…` ids, revoked ones included; other names and tokens without a label have none. */
export async function readTokenLabels(
  tx: Tx,
  ownerKey: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const credentialIds = names.flatMap((name) => uuidOf('token', name) ?? []);
  if (credentialIds.length === 0) return new Map();
  const rows = await tx.query(selectTokenLabels, { ownerKey, credentialIds });
  return new Map(rows.map(({ credentialId, label }) => [typeId('token', credentialId), label]));
}

/** Also finds revoked and expired credentials, to record failed sign-ins with them; null for an unknown secret. */
export async function findPresented(tx: Tx, text: string): Promise<EverPresented | null> {
  const [found] = await tx.query(selectEverPresented, { secretHash: hashSecret(text) });
  return found ?? null;
}
