// Hashes phone and email with a key, to recognise a person without storing either (contract 4.4).
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { type IdentityHash, normalizeMailbox } from './identity.rules.ts';

/** The hashes of the given phone and email; empty if there is neither. */
export function identityHashes(
  pepper: Buffer,
  contact: { phone: string | null; email: string | null },
): IdentityHash[] {
  const { phone, email } = hashContact(pepper, contact);
  return [phone, email].filter((one) => one !== null);
}

/** The hashes by kind; null where the value is missing. */
export function hashContact(
  pepper: Buffer,
  { phone, email }: { phone: string | null; email: string | null },
): { readonly phone: IdentityHash | null; readonly email: IdentityHash | null } {
  return {
    phone: phone === null ? null : keyedHash(pepper, `phone:${phone}`),
    email: email === null ? null : keyedHash(pepper, `email:${normalizeMailbox(email)}`),
  };
}

function keyedHash(pepper: Buffer, text: string): IdentityHash {
  // 64 of 256 bits: with 600 million people, the next one collides with a probability of 1 in 30 billion.
  return createHmac('sha256', keyOf(pepper)).update(text).digest().readBigInt64BE(0).toString();
}

const keys = new WeakMap<Buffer, KeyObject>();

/** Cached per pepper: creating the key costs five times as much as a hash. */
function keyOf(pepper: Buffer): KeyObject {
  let key = keys.get(pepper);
  if (key === undefined) keys.set(pepper, (key = createSecretKey(pepper)));
  return key;
}
