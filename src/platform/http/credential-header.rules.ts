// Reads the credential from its header, which must be given once and in one exact form (contract 2).

export type CredentialHeader = 'x-api-key' | 'authorization';

// The values of a repeated header are joined by a comma and a blank, which neither form allows.
const BEARER = /^bearer +([A-Za-z0-9._~+/-]{1,256}=*)$/i;
const BARE = /^[\x21-\x2b\x2d-\x7e]{1,256}$/;

/** Null for a missing, repeated or malformed header. */
export function presentedCredential(header: CredentialHeader, value: string | undefined): string | null {
  if (value === undefined) return null;
  if (header === 'x-api-key') return BARE.test(value) ? value : null;
  return BEARER.exec(value)?.[1] ?? null;
}

const schemes: Readonly<Record<CredentialHeader | 'cookie', string>> = {
  'x-api-key': 'ApiKey',
  authorization: 'Bearer',
  cookie: 'Session',
};

/** The challenge of a 401. */
export function challenge(header: CredentialHeader | 'cookie'): string {
  return `${schemes[header]} realm="lead-marketplace"`;
}
