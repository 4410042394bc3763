// Detects and masks the service's own secrets in text, so that none gets into the audit trail (contract 6.15).
import type { JsonValue } from '../base/json.ts';

// Shorter than a real secret (38 characters, 44 for a signing secret), to detect truncated copies, and longer than any word that may follow
// such a prefix.
const SECRET = /(lms_|lmb_|lmo_|whsec_)[0-9A-Za-z+/=]{16,}/;
const SECRETS = new RegExp(SECRET, 'g');

/** Whether the value contains a secret at any depth. */
export function containsSecret(value: JsonValue): boolean {
  if (typeof value === 'string') return SECRET.test(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((item) => containsSecret(item));
}

/** Shortens each secret to its prefix, for user texts such as labels, descriptions and URLs. */
export function maskSecrets(text: string): string {
  return text.replace(SECRETS, '$1…');
}
