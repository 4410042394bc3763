// Signing secrets of webhooks and callbacks, one per supplier and per buyer: create, read, show, rotate (contract 5.9).
import { strict as assert } from 'node:assert';
import { randomBytes } from 'node:crypto';

import { appendAudit } from '../audit/append-audit.ts';
import { type AuditActor, type AuditOrigin, noOrigin } from '../audit/audit-event.ts';
import type { Tx } from '../platform/database/database.ts';
import { auditOwner, type SecretOwner } from './credential.ts';
import type { SigningSecret } from './signing-secret.schema.ts';
import { insertSigningSecret, selectSigningSecrets, rotateSigningSecretRow } from './signing-secrets.sql.ts';

export type SigningSecrets = {
  readonly secret: string;
  /** The secret before the last rotation, while both sign. */
  readonly previous: { readonly secret: string; readonly validUntil: Date } | null;
};

/** Long enough for a receiver in any time zone to replace its secret in working hours (contract 5.9). */
const OVERLAP_MS = 24 * 3_600_000;

/** `whsec_` and 32 random bytes in base64; the standard allows 24 to 64. */
function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

export function signingSecretView({ secret, previous }: SigningSecrets): SigningSecret {
  return {
    secret,
    previous: previous === null ? null : { secret: previous.secret, validUntil: previous.validUntil.toISOString() },
  };
}

/** Creates the signing secret if there is none yet. Safe to repeat and to run concurrently: the first secret stays. */
export async function ensureSigningSecret(tx: Tx, owner: SecretOwner, now: Date): Promise<SigningSecrets> {
  await tx.query(insertSigningSecret, { kind: owner.kind, key: owner.key, secret: newSigningSecret(), now });
  const secrets = await readSigningSecrets(tx, owner, now);
  assert(secrets !== null, 'a signing secret disappeared within the transaction');
  return secrets;
}

/** The current secret, and for 24 h after a rotation the previous one; null if the owner has none yet. */
export async function readSigningSecrets(tx: Tx, owner: SecretOwner, now: Date): Promise<SigningSecrets | null> {
  const [row] = await tx.query(selectSigningSecrets, { kind: owner.kind, key: owner.key, now });
  if (row === undefined) return null;
  const { secret, previousSecret, previousValidUntil } = row;
  const hasPrevious = previousSecret !== null && previousValidUntil !== null;
  return { secret, previous: hasPrevious ? { secret: previousSecret, validUntil: previousValidUntil } : null };
}

export type SecretRotation = { readonly owner: SecretOwner; readonly actor: AuditActor; readonly origin?: AuditOrigin };

/** A second rotation within the 24 h drops the oldest secret at once: this revokes a leaked secret. */
export async function rotateSigningSecret(
  tx: Tx,
  { owner, actor, origin = noOrigin }: SecretRotation,
  now: Date,
): Promise<SigningSecrets> {
  const validUntil = new Date(now.getTime() + OVERLAP_MS);
  await tx.query(rotateSigningSecretRow, {
    kind: owner.kind,
    key: owner.key,
    secret: newSigningSecret(),
    now,
    validUntil,
  });
  const secrets = await readSigningSecrets(tx, owner, now);
  assert(secrets !== null, 'a signing secret disappeared within the transaction');
  await appendAudit(tx, [
    {
      at: now,
      actor,
      ...auditOwner(owner.kind, owner.key),
      action: 'secret.rotated',
      target: owner.key,
      changes: { previousValidUntil: { from: null, to: secrets.previous?.validUntil.toISOString() ?? null } },
      ...origin,
    },
  ]);
  return secrets;
}

export type SecretView = {
  readonly owner: SecretOwner;
  readonly actor: AuditActor;
  readonly origin: AuditOrigin;
  /** Whether the owner reads it: the event then appears in the owner's audit log. A read by an operator appears in the operators' only. */
  readonly isOwn: boolean;
};

/** Returns the secret, creating it if needed, and records the read in the audit log. */
export async function showSigningSecret(
  tx: Tx,
  { owner, actor, origin, isOwn }: SecretView,
  now: Date,
): Promise<SigningSecrets> {
  const secrets = await ensureSigningSecret(tx, owner, now);
  await appendAudit(tx, [
    {
      at: now,
      actor,
      ...(isOwn ? auditOwner(owner.kind, owner.key) : { buyerKey: null, supplierKey: null }),
      action: 'secret.shown',
      target: owner.key,
      changes: {},
      ...origin,
    },
  ]);
  return secrets;
}
