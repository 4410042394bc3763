// Reads the Idempotency-Key header: 1 to 255 printable ASCII characters, given once (contract 1.11).

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;

export type KeyReading = { readonly key: string } | 'absent' | 'invalid';

/** `rawHeaders` as Node provides them, names and values in turn: only they distinguish a repeated header from a value with a comma. */
export function readIdempotencyKey(rawHeaders: readonly string[]): KeyReading {
  let found: KeyReading = 'absent';
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() !== 'idempotency-key') continue;
    const key = rawHeaders[index + 1] ?? '';
    if (found !== 'absent' || !PRINTABLE.test(key)) return 'invalid';
    found = { key };
  }
  return found;
}
