// SQL on the table partner_secret.
import { statement } from '../platform/database/database.ts';

/** Writers and the rotation of the key wait for each other, so that none seals with a key that is about to be dropped. */
export const lockSecretsSql = statement(
  'partner-secrets.lock',
  'LOCK TABLE partner_secret IN SHARE ROW EXCLUSIVE MODE',
);

export type SecretRow = {
  readonly buyerKey: string;
  readonly name: string;
  readonly keyId: string;
  readonly sealed: Buffer;
};

export const upsertSecretSql = statement<SecretRow & { readonly now: Date }, { isNew: boolean }>(
  'partner-secrets.upsert',
  `INSERT INTO partner_secret AS old (buyer_key, name, key_id, sealed, created_at, updated_at) VALUES ($buyerKey, $name, $keyId, $sealed, $now, $now)
   ON CONFLICT (buyer_key, name) DO UPDATE SET key_id = excluded.key_id, sealed = excluded.sealed, updated_at = excluded.updated_at
   RETURNING old.created_at = old.updated_at AS "isNew"`,
);

export const deleteSecretSql = statement<{ readonly buyerKey: string; readonly name: string }, { name: string }>(
  'partner-secrets.delete',
  'DELETE FROM partner_secret WHERE buyer_key = $buyerKey AND name = $name RETURNING name',
);

export type ListedRow = SecretRow & { readonly createdAt: Date; readonly updatedAt: Date };

export const listSecretsSql = statement<{ readonly buyerKey: string }, ListedRow>(
  'partner-secrets.list',
  `SELECT buyer_key AS "buyerKey", name, key_id AS "keyId", sealed, created_at AS "createdAt", updated_at AS "updatedAt"
   FROM partner_secret WHERE buyer_key = $buyerKey ORDER BY name`,
);

export const countSecretsSql = statement<{ readonly buyerKey: string }, { secrets: number }>(
  'partner-secrets.count',
  'SELECT count(*)::int AS secrets FROM partner_secret WHERE buyer_key = $buyerKey',
);

/** A slice of the secrets that another key sealed. */
export const secretsOfOtherKeysSql = statement<
  { readonly keyId: string; readonly afterBuyer: string; readonly afterName: string; readonly limit: number },
  SecretRow
>(
  'partner-secrets.of_other_keys',
  `SELECT buyer_key AS "buyerKey", name, key_id AS "keyId", sealed FROM partner_secret
   WHERE key_id <> $keyId AND (buyer_key, name) > ($afterBuyer, $afterName) ORDER BY buyer_key, name LIMIT $limit`,
);

export const resealSecretSql = statement<SecretRow>(
  'partner-secrets.reseal',
  'UPDATE partner_secret SET key_id = $keyId, sealed = $sealed WHERE buyer_key = $buyerKey AND name = $name',
);
