// Recognises a person by phone or e-mail without keeping either: a keyed hash of the normalised value (contract 4.4).
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

import type { IdentityHash } from './person-scope.rules.ts';
import { sameMailbox } from './same-mailbox.rules.ts';

/** The hashes under which this person may have been sold before: of the phone, of the e-mail, of both, or none. */
export function identityHashes(
  pepper: Buffer,
  contact: { phone: string | null; email: string | null },
): IdentityHash[] {
  const { phone, email } = hashesOf(pepper, contact);
  return [phone, email].filter((one) => one !== null);
}

/** The same by kind; null for what is not known. */
export function hashesOf(
  pepper: Buffer,
  { phone, email }: { phone: string | null; email: string | null },
): { readonly phone: IdentityHash | null; readonly email: IdentityHash | null } {
  return {
    phone: phone === null ? null : hash(pepper, `phone:${phone}`),
    email: email === null ? null : hash(pepper, `email:${sameMailbox(email)}`),
  };
}

function hash(pepper: Buffer, text: string): IdentityHash {
  // 64 of 256 bits: at 600 million people the chance that one more meets a stranger's number is 1 in 30 billion.
  return createHmac('sha256', keyOf(pepper)).update(text).digest().readBigInt64BE(0).toString();
}

const keys = new WeakMap<Buffer, KeyObject>();

/** Made once per pepper: making it from the bytes each time costs five times as much as the hash. */
function keyOf(pepper: Buffer): KeyObject {
  let key = keys.get(pepper);
  if (key === undefined) keys.set(pepper, (key = createSecretKey(pepper)));
  return key;
}
