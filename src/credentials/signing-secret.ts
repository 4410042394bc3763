// The secrets that sign what the service sends: one per supplier and one per buyer, in the form of Standard Webhooks (contract 5.9).
import { randomBytes } from 'node:crypto';

import type { SigningSecret } from './signing-secret.schema.ts';

export type SecretOwner = { readonly kind: 'supplier' | 'buyer'; readonly key: string };

export type SigningSecrets = {
  readonly secret: string;
  /** The one before the last rotation, while both sign. */
  readonly previous: { readonly secret: string; readonly validUntil: Date } | null;
};

/** Long enough for a receiver to exchange its secret in working hours, whatever its time zone (contract 5.9). */
export const OVERLAP_MS = 24 * 3_600_000;

/** `whsec_` and 32 random bytes in base64; the standard allows 24 to 64. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

export function signingSecretView({ secret, previous }: SigningSecrets): SigningSecret {
  return {
    secret,
    previous: previous === null ? null : { secret: previous.secret, validUntil: previous.validUntil.toISOString() },
  };
}
