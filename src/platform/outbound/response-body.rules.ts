// Reads response bodies: a snippet that is safe to store and to show (contract 6.13), and the members of a JSON object.
import { isMembers, type Members } from '../../base/json.ts';

/**
 * The first bytes of a body → at most `maxBytes` of UTF-8, cut at a code point; null when nothing is readable. `cut` says that the
 * body is longer, so that an incomplete character at the end is dropped and not replaced. Controls are removed: the database rejects
 * NUL, and a terminal would interpret others.
 */
export function snippetOf(
  bytes: Uint8Array,
  options: { readonly maxBytes: number; readonly cut: boolean },
): string | null {
  const text = new TextDecoder('utf-8').decode(bytes, { stream: options.cut }).replaceAll(/(?![\n\t])\p{Cc}/gu, '');
  const encoded = new Uint8Array(options.maxBytes);
  // encodeInto never writes half a code point.
  const { read } = new TextEncoder().encodeInto(text, encoded);
  return read === 0 ? null : text.slice(0, read);
}

/** The members of a complete body; null when it is incomplete or not a JSON object. */
export function jsonResponse(body: Uint8Array | null | undefined): Members | null {
  if (body === null || body === undefined) return null;
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body));
    return isMembers(value) ? value : null;
  } catch (error) {
    // A proxy in between may send anything.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
