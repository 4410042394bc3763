// The statements on credential.
import { statement } from '../platform/database/database.ts';
import type { CredentialKind } from './credential.ts';

export const insertCredential = statement(
  'credentials.insert',
  `INSERT INTO credential (credential_id, kind, owner_key, secret_hash, last4, label, created_at, expires_at, is_demo)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);

/** Rows of `Credential`, but the id a uuid. Newest first, from behind $3; every owner's where none is given, all where no limit is. */
export const selectCredentials = statement(
  'credentials.select',
  `SELECT credential_id AS id, kind, owner_key AS owner, label, last4, created_at AS "createdAt",
          last_used_at AS "lastUsedAt", expires_at AS "expiresAt", revoked_at AS "revokedAt"
   FROM credential WHERE kind = ANY ($1::text[]) AND ($2::text IS NULL OR owner_key = $2) AND credential_id < $3
   ORDER BY credential_id DESC LIMIT $4`,
);

/** Of the demo, in the order of their ids. */
export const selectDemoCredentials = statement(
  'credentials.of-demo',
  `SELECT credential_id AS "credentialId", kind, owner_key AS owner FROM credential
   WHERE is_demo AND revoked_at IS NULL ORDER BY credential_id`,
);

export type RevocationRow = { readonly kind: CredentialKind; readonly owner: string };

/** No row where there is no such credential, or where it was revoked before. $4: whose it has to be, null for anybody's. */
export const revokeOnce = statement(
  'credentials.revoke',
  `UPDATE credential SET revoked_at = $3
   WHERE credential_id = $1 AND kind = ANY ($2::text[]) AND ($4::text IS NULL OR owner_key = $4) AND revoked_at IS NULL
   RETURNING kind, owner_key AS owner`,
);

export const selectRevokedAt = statement(
  'credentials.revoked-at',
  `SELECT revoked_at AS "revokedAt" FROM credential
   WHERE credential_id = $1 AND kind = ANY ($2::text[]) AND ($3::text IS NULL OR owner_key = $3)`,
);

export type PresentedRow = {
  readonly credentialId: string;
  readonly kind: CredentialKind;
  readonly owner: string;
  readonly secretHash: Buffer;
  readonly lastUsedAt: Date | null;
  readonly expiresAt: Date | null;
};

export const selectPresented = statement(
  'credentials.presented',
  `SELECT credential_id AS "credentialId", kind, owner_key AS owner, secret_hash AS "secretHash",
          last_used_at AS "lastUsedAt", expires_at AS "expiresAt"
   FROM credential WHERE secret_hash = $1 AND revoked_at IS NULL`,
);

export const selectEverPresented = statement(
  'credentials.ever-presented',
  `SELECT credential_id AS "credentialId", kind, owner_key AS owner FROM credential WHERE secret_hash = $1`,
);

/** Locks in the order of ids, so that two processes that write the same credentials wait for each other instead of failing. */
export const updateLastUsed = statement(
  'credentials.last-used',
  `WITH used AS (
     SELECT credential.credential_id, use.at
     FROM unnest($1::uuid[], $2::timestamptz[]) AS use (credential_id, at) JOIN credential USING (credential_id)
     ORDER BY credential.credential_id FOR UPDATE OF credential)
   UPDATE credential SET last_used_at = greatest(last_used_at, used.at)
   FROM used WHERE credential.credential_id = used.credential_id`,
);
