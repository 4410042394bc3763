// Reads a text that is in memory in small pieces with rests between them, so that the one who parses it holds nobody up.
import { Readable } from 'node:stream';

import type { Rest } from '../platform/time-slices.ts';

/** A few milliseconds of parsing. */
export const PIECE_BYTES = 16 * 1024;

export function piecesOf(bytes: Buffer): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / PIECE_BYTES) }, (_, index) =>
    bytes.subarray(index * PIECE_BYTES, (index + 1) * PIECE_BYTES),
  );
}

export function pacedSource(pieces: readonly Buffer[], rest: Rest): Readable {
  return Readable.from(withRests(pieces, rest));
}

async function* withRests(pieces: readonly Buffer[], rest: Rest): AsyncGenerator<Buffer> {
  for (const piece of pieces) {
    yield piece;
    await rest();
  }
}
