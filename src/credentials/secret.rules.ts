// The shape of a credential's secret: a prefix that names its kind, 32 random characters and 6 of a checksum (contract 2.1).
import { type CredentialKind, credentialKinds } from './credential.ts';

export const secretPrefixes = {
  supplier_key: 'lms_',
  buyer_token: 'lmb_',
  operator_token: 'lmo_',
} as const satisfies Record<CredentialKind, string>;

/** 32 characters of 62 are 190 random bits: they cannot be guessed, so a fast hash is enough to store them. */
export const RANDOM_LENGTH = 32;
// 62^6 is the first power of 62 above 2^32.
const CHECKSUM_LENGTH = 6;

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SHAPE = new RegExp(`^(lm[sbo]_)([${DIGITS}]{${RANDOM_LENGTH}})([${DIGITS}]{${CHECKSUM_LENGTH}})$`);
const KINDS = new Map<string, CredentialKind>(credentialKinds.map((kind) => [secretPrefixes[kind], kind]));

/**
 * Random bytes → `length` base62 characters, each equally likely; null if there are too few bytes. A byte of 248 or more
 * is skipped: taken modulo 62 it would favour the first digits.
 */
export function base62OfBytes(bytes: Uint8Array, length: number): string | null {
  let text = '';
  for (const byte of bytes) {
    if (text.length === length) break;
    if (byte < 248) text += DIGITS.charAt(byte % 62);
  }
  return text.length === length ? text : null;
}

/** A whole number from 0 to 2^32 − 1 → 6 characters. */
export function base62OfChecksum(value: number): string {
  let text = '';
  for (let rest = value; text.length < CHECKSUM_LENGTH; rest = Math.floor(rest / 62))
    text = DIGITS.charAt(rest % 62) + text;
  return text;
}

/** The parts of a text with a secret's shape; does not check the checksum. */
export function splitSecret(text: string): { kind: CredentialKind; body: string; checksum: string } | null {
  const [, prefix = '', random = '', checksum = ''] = SHAPE.exec(text) ?? [];
  const kind = KINDS.get(prefix);
  return kind === undefined ? null : { kind, body: prefix + random, checksum };
}
