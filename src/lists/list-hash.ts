// Hashes the values of lists and of leads (contract 15.2; decisions 070, 100).
import { hash } from 'node:crypto';
import type { ListHash, ListKind } from './list.ts';
import { type ListValue, mailboxSpellings, phoneSpellings } from './list-value.rules.ts';

/**
 * 64 of 256 bits: among ten million entries a value that is on no list meets one by chance with a probability of 1 in 1.8 million million.
 * Without a key, because owners of lists make the same hashes.
 */
function listHash(text: string): ListHash {
  return firstBits(hash('sha256', text, 'hex'));
}

export function hashOfValue(value: ListValue): ListHash {
  return value.isHash ? firstBits(value.hex) : listHash(value.text);
}

/** Those by which a list may have a text of a lead: phones and email addresses are handed out as MD5 as well. */
export function lookedUpHashes(kind: ListKind, text: string): ListHash[] {
  return kind === 'phone' || kind === 'email'
    ? [listHash(text), firstBits(hash('md5', text, 'hex'))]
    : [listHash(text)];
}

/** Those by which a list may have a value that is looked up in it, or removed from it. */
export function hashesOfValue(kind: ListKind, value: ListValue): ListHash[] {
  if (value.isHash) return [hashOfValue(value)];
  const { text } = value;
  const texts = kind === 'phone' ? phoneSpellings(text) : kind === 'email' ? mailboxSpellings(text) : [text];
  return texts.flatMap((spelling) => lookedUpHashes(kind, spelling));
}

function firstBits(hex: string): ListHash {
  return BigInt.asIntN(64, BigInt(`0x${hex.slice(0, 16)}`)).toString();
}
