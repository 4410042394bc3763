// Recognises the service's own secrets inside a text, so that none of them gets into the audit trail (contract 6.15).
import type { JsonValue } from '../base/json-value.ts';

// Shorter than any real one (38 characters, 44 for a signing secret), so that a cut-off copy counts too, and
// longer than any word that a person types after such a prefix.
const SECRET = /(lms_|lmb_|lmo_|whsec_)[0-9A-Za-z+/=]{16,}/;
const SECRETS = new RegExp(SECRET, 'g');

/** Whether a secret of ours stands anywhere in the value, at any depth. */
export function holdsSecret(value: JsonValue): boolean {
  if (typeof value === 'string') return SECRET.test(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((item) => holdsSecret(item));
}

/** The text with each secret cut down to its prefix. For texts that people type: a label, a description, a URL. */
export function maskSecrets(text: string): string {
  return text.replace(SECRETS, '$1…');
}
