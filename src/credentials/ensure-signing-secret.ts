// Gives a supplier or buyer its signing secret where it has none yet (contract 5.9).
import { strict as assert } from 'node:assert';

import type { Tx } from '../platform/database/database.ts';
import { readSigningSecrets } from './read-signing-secrets.ts';
import { newSigningSecret, type SecretOwner, type SigningSecrets } from './signing-secret.ts';
import { insertSigningSecret } from './signing-secrets.sql.ts';

/** Safe to repeat and to run twice at once: the first secret stays. */
export async function ensureSigningSecret(tx: Tx, owner: SecretOwner, now: Date): Promise<SigningSecrets> {
  await tx.query(insertSigningSecret, { kind: owner.kind, key: owner.key, secret: newSigningSecret(), now });
  const secrets = await readSigningSecrets(tx, owner, now);
  assert(secrets !== null, 'a signing secret is gone that was there a statement ago');
  return secrets;
}
