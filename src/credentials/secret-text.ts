// Makes and reads the text of a credential's secret: random part, CRC32 over everything before it, SHA-256 for storage (contract 2.1).
import { strict as assert } from 'node:assert';
import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

import type { CredentialKind } from './credential.ts';
import { base62OfBytes, base62OfChecksum, RANDOM_LENGTH, secretPrefixes, splitSecret } from './secret.rules.ts';

// Twice the length: eight of 256 byte values are skipped, and this makes the chance of running out less than 10^-30.
const BYTES = 2 * RANDOM_LENGTH;

/** `bytes` must be random, and at least twice `RANDOM_LENGTH`. @public */
export function composeSecret(kind: CredentialKind, bytes: Uint8Array): string {
  const random = base62OfBytes(bytes, RANDOM_LENGTH);
  assert(random !== null, 'too few random bytes for a secret');
  const body = secretPrefixes[kind] + random;
  return body + base62OfChecksum(crc32(body));
}

export function newSecret(kind: CredentialKind): string {
  return composeSecret(kind, randomBytes(BYTES));
}

/** Null for a text without a secret's shape or checksum, so that noise and typing errors never reach the database. */
export function parseSecret(text: string): { kind: CredentialKind } | null {
  const parts = splitSecret(text);
  if (parts === null || base62OfChecksum(crc32(parts.body)) !== parts.checksum) return null;
  return { kind: parts.kind };
}

/** The SHA-256 of the whole text: the only form in which a secret is stored or looked up. */
export function hashSecret(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

/** The same hash as a string of 32 characters, one per byte: a cache key at half the cost of a Buffer. */
export function hashSecretAsText(text: string): string {
  return hash('sha256', text, 'binary');
}
