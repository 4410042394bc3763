// SQL on the table signing_secret.
import { statement } from '../platform/database/database.ts';

export const insertSigningSecret = statement<{
  readonly kind: string;
  readonly key: string;
  readonly secret: string;
  readonly now: Date;
}>(
  'signing-secrets.insert',
  `INSERT INTO signing_secret (owner_kind, owner_key, secret, created_at) VALUES ($kind, $key, $secret, $now)
   ON CONFLICT (owner_kind, owner_key) DO NOTHING`,
);

export type SigningSecretRow = {
  readonly secret: string;
  readonly previousSecret: string | null;
  readonly previousValidUntil: Date | null;
};

/** Returns the previous secret only while it is valid. */
export const selectSigningSecrets = statement<
  { readonly kind: string; readonly key: string; readonly now: Date },
  SigningSecretRow
>(
  'signing-secrets.select',
  `SELECT secret, CASE WHEN previous_valid_until > $now THEN previous_secret END AS "previousSecret",
          CASE WHEN previous_valid_until > $now THEN previous_valid_until END AS "previousValidUntil"
   FROM signing_secret WHERE owner_kind = $kind AND owner_key = $key`,
);

export const rotateSigningSecretRow = statement<{
  readonly kind: string;
  readonly key: string;
  readonly secret: string;
  readonly now: Date;
  readonly validUntil: Date;
}>(
  'signing-secrets.rotate',
  `INSERT INTO signing_secret AS old (owner_kind, owner_key, secret, created_at) VALUES ($kind, $key, $secret, $now)
   ON CONFLICT (owner_kind, owner_key) DO UPDATE
   SET secret = excluded.secret, previous_secret = old.secret, previous_valid_until = $validUntil, created_at = excluded.created_at`,
);
