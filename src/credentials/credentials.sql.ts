// SQL on the table credential.
import { statement } from '../platform/database/database.ts';
import type { CredentialId, Uuid } from '../base/ids.ts';
import type { Credential, CredentialKind } from './credential.ts';
import type { OperatorScope } from './operator-scopes.rules.ts';

export type EverPresented = {
  readonly credentialId: CredentialId;
  readonly kind: CredentialKind;
  readonly owner: string;
};

export const insertCredential = statement<{
  readonly credentialId: CredentialId;
  readonly kind: string;
  readonly ownerKey: string;
  readonly secretHash: Buffer;
  readonly last4: string;
  readonly shownLabel: string | null;
  readonly scopes: readonly OperatorScope[] | null;
  readonly now: Date;
  readonly expiresAt: Date | null;
  readonly isDemo: boolean;
}>(
  'credentials.insert',
  `INSERT INTO credential (credential_id, kind, owner_key, secret_hash, last4, label, scopes, created_at, expires_at, is_demo)
   VALUES ($credentialId, $kind, $ownerKey, $secretHash, $last4, $shownLabel, $scopes, $now, $expiresAt, $isDemo)`,
);

/** Rows of `Credential`, with a uuid as id. Newest first, after $after; a null $ownerKey means every owner, a null $limit all rows. */
export const selectCredentials = statement<
  {
    readonly kinds: readonly string[];
    readonly ownerKey: string | null;
    readonly after: Uuid;
    readonly limit: number | null;
  },
  Omit<Credential, 'id' | 'scopes'> & { readonly id: CredentialId; readonly scopes: readonly OperatorScope[] | null }
>(
  'credentials.select',
  `SELECT credential_id AS id, kind, owner_key AS owner, label, scopes, last4, created_at AS "createdAt",
          last_used_at AS "lastUsedAt", expires_at AS "expiresAt", revoked_at AS "revokedAt"
   FROM credential WHERE kind = ANY ($kinds::text[]) AND ($ownerKey::text IS NULL OR owner_key = $ownerKey) AND credential_id < $after
   ORDER BY credential_id DESC LIMIT $limit`,
);

/** Labels of a partner's tokens, revoked ones included. */
export const selectTokenLabels = statement<
  { readonly ownerKey: string; readonly credentialIds: readonly CredentialId[] },
  { credentialId: CredentialId; label: string }
>(
  'credentials.token_labels',
  `SELECT credential_id AS "credentialId", label FROM credential
   WHERE kind = 'buyer_token' AND owner_key = $ownerKey AND credential_id = ANY ($credentialIds::uuid[]) AND label IS NOT NULL`,
);

export type DemoCredentialRow = {
  readonly credentialId: CredentialId;
  readonly kind: CredentialKind;
  readonly owner: string;
};

/** The demo's unrevoked credentials, ordered by id. */
export const selectDemoCredentials = statement<void, DemoCredentialRow>(
  'credentials.of-demo',
  `SELECT credential_id AS "credentialId", kind, owner_key AS owner FROM credential
   WHERE is_demo AND revoked_at IS NULL ORDER BY credential_id`,
);

export type RevocationRow = { readonly kind: CredentialKind; readonly owner: string };

/** No row if there is no such credential or it was revoked before. A null $ownerKey means any owner. */
export const revokeOnce = statement<
  {
    readonly credentialId: CredentialId;
    readonly kinds: readonly string[];
    readonly now: Date;
    readonly ownerKey: string | null;
  },
  RevocationRow
>(
  'credentials.revoke',
  `UPDATE credential SET revoked_at = $now
   WHERE credential_id = $credentialId AND kind = ANY ($kinds::text[]) AND ($ownerKey::text IS NULL OR owner_key = $ownerKey) AND revoked_at IS NULL
   RETURNING kind, owner_key AS owner`,
);

export const selectRevokedAt = statement<
  { readonly credentialId: CredentialId; readonly kinds: readonly string[]; readonly ownerKey: string | null },
  { revokedAt: Date | null }
>(
  'credentials.revoked-at',
  `SELECT revoked_at AS "revokedAt" FROM credential
   WHERE credential_id = $credentialId AND kind = ANY ($kinds::text[]) AND ($ownerKey::text IS NULL OR owner_key = $ownerKey)`,
);

export type PresentedRow = {
  readonly credentialId: CredentialId;
  readonly kind: CredentialKind;
  readonly owner: string;
  readonly scopes: readonly OperatorScope[] | null;
  readonly secretHash: Buffer;
  readonly lastUsedAt: Date | null;
  readonly expiresAt: Date | null;
};

export const selectPresented = statement<{ readonly hash: Buffer }, PresentedRow>(
  'credentials.presented',
  `SELECT credential_id AS "credentialId", kind, owner_key AS owner, scopes, secret_hash AS "secretHash",
          last_used_at AS "lastUsedAt", expires_at AS "expiresAt"
   FROM credential WHERE secret_hash = $hash AND revoked_at IS NULL`,
);

export const selectEverPresented = statement<{ readonly secretHash: Buffer }, EverPresented>(
  'credentials.ever-presented',
  `SELECT credential_id AS "credentialId", kind, owner_key AS owner FROM credential WHERE secret_hash = $secretHash`,
);

/** Locks in the order of ids, so that two processes that write the same credentials wait for each other instead of deadlocking. */
export const updateLastUsed = statement<{
  readonly credentialIds: readonly CredentialId[];
  readonly times: readonly Date[];
}>(
  'credentials.last-used',
  `WITH used AS (
     SELECT credential.credential_id, use.at
     FROM unnest($credentialIds::uuid[], $times::timestamptz[]) AS use (credential_id, at) JOIN credential USING (credential_id)
     ORDER BY credential.credential_id FOR UPDATE OF credential)
   UPDATE credential SET last_used_at = greatest(last_used_at, used.at)
   FROM used WHERE credential.credential_id = used.credential_id`,
);
