// The piece of an endpoint's answer that is kept for troubleshooting: text that is safe to store and to show (contract 6.13).

/**
 * The first bytes of a body → at most `maxBytes` of UTF-8, cut at a code point; null when nothing readable is there. `cut` says that
 * the body went on, so that a character at the end that is not whole is dropped and not replaced. NUL would fail in the database,
 * other controls could play tricks in a terminal.
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
