// Reads the secrets that sign at this moment: the current one, and for 24 h after a rotation the one before it (contract 5.9).
import type { Tx } from '../platform/database/database.ts';
import type { SecretOwner, SigningSecrets } from './signing-secret.ts';
import { selectSigningSecrets } from './signing-secrets.sql.ts';

/** Null where the owner has none yet. */
export async function readSigningSecrets(tx: Tx, owner: SecretOwner, now: Date): Promise<SigningSecrets | null> {
  const [row] = await tx.query(selectSigningSecrets, { kind: owner.kind, key: owner.key, now });
  if (row === undefined) return null;
  const { secret, previousSecret, previousValidUntil } = row;
  const hasPrevious = previousSecret !== null && previousValidUntil !== null;
  return { secret, previous: hasPrevious ? { secret: previousSecret, validUntil: previousValidUntil } : null };
}
