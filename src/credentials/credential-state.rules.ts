// Says in words whether a credential is valid, for the lists of the command line (contract 7.2).
import type { Credential } from './credential.ts';

export function stateOf({ revokedAt, expiresAt }: Credential, now: Date): string {
  if (revokedAt !== null) return `revoked ${revokedAt.toISOString()}`;
  if (expiresAt === null) return 'valid';
  return expiresAt <= now ? `expired ${expiresAt.toISOString()}` : `valid until ${expiresAt.toISOString()}`;
}
