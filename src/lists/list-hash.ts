// Hashes the values of lists and of leads (contract 15.2; decision 070).
import { hash } from 'node:crypto';
import type { ListHash } from './list.ts';
import type { ListValue } from './list-value.rules.ts';

/**
 * 64 of 256 bits: among ten million entries a value that is on no list meets one by chance with a probability of 1 in 1.8 million million.
 * Without a key, because owners of lists make the same hashes.
 */
export function listHash(text: string): ListHash {
  return firstBits(hash('sha256', text, 'hex'));
}

export function hashOfValue(value: ListValue): ListHash {
  return value.isHash ? firstBits(value.hex) : listHash(value.text);
}

function firstBits(hex: string): ListHash {
  return BigInt.asIntN(64, BigInt(`0x${hex.slice(0, 16)}`)).toString();
}
