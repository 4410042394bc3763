// Seals short texts with AES-256-GCM, so that the database and its backups hold no readable secret (contract 13.3).
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

export type SecretKey = {
  /** Says which key sealed a text, and nothing about the key. */
  readonly id: string;
  readonly key: Buffer;
};

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Base64 of 32 random bytes. */
export function newKeyText(): string {
  return randomBytes(KEY_BYTES).toString('base64');
}

/** 32 bytes in base64 or hex; null for anything else. */
export function parseKey(text: string): SecretKey | null {
  const encoding = /^[0-9a-fA-F]{64}$/.test(text) ? 'hex' : /^[A-Za-z0-9+/_-]{43}=?$/.test(text) ? 'base64' : null;
  if (encoding === null) return null;
  const key = Buffer.from(text, encoding);
  if (key.length !== KEY_BYTES) return null;
  return { id: createHash('sha256').update('secrets-key:').update(key).digest('hex').slice(0, 16), key };
}

/** `context` is not stored: the text opens only under the same one, so that a row cannot pass for another. */
export function seal({ key }: SecretKey, context: string, text: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(context, 'utf8'));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** Null if it was sealed with another key or context, or has changed since. */
export function open({ key }: SecretKey, context: string, sealed: Buffer): string | null {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context, 'utf8'));
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    return decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    // Node has no code for a tag that does not fit.
    return null;
  }
}
