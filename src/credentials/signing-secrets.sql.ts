// The statements on signing_secret.
import { statement } from '../platform/database/database.ts';

export const insertSigningSecret = statement(
  'signing-secrets.insert',
  `INSERT INTO signing_secret (owner_kind, owner_key, secret, created_at) VALUES ($1, $2, $3, $4)
   ON CONFLICT (owner_kind, owner_key) DO NOTHING`,
);

export type SigningSecretRow = {
  readonly secret: string;
  readonly previousSecret: string | null;
  readonly previousValidUntil: Date | null;
};

/** The previous secret only as long as it is valid. */
export const selectSigningSecrets = statement(
  'signing-secrets.select',
  `SELECT secret, CASE WHEN previous_valid_until > $3 THEN previous_secret END AS "previousSecret",
          CASE WHEN previous_valid_until > $3 THEN previous_valid_until END AS "previousValidUntil"
   FROM signing_secret WHERE owner_kind = $1 AND owner_key = $2`,
);

export const rotateSigningSecretRow = statement(
  'signing-secrets.rotate',
  `INSERT INTO signing_secret AS old (owner_kind, owner_key, secret, created_at) VALUES ($1, $2, $3, $4)
   ON CONFLICT (owner_kind, owner_key) DO UPDATE
   SET secret = excluded.secret, previous_secret = old.secret, previous_valid_until = $5, created_at = excluded.created_at`,
);
