// Decodes the body of a partner's response by its byte order mark, its content type or its XML declaration; else as UTF-8 (contract 13.2).

const CHARSET = /;\s*charset\s*=\s*"?([\w.:+-]{1,40})"?/i;
const XML_ENCODING = /^\s*<\?xml[^>]{0,200}\bencoding\s*=\s*["']([\w.:+-]{1,40})["']/;
const XML_START_BYTES = 256;
const utf8 = new TextDecoder();

/** Bytes that the encoding does not know become U+FFFD; an encoding that is not known is taken for UTF-8. */
export function responseText(body: Uint8Array, contentType: string | null): string {
  const label = markOf(body) ?? CHARSET.exec(contentType ?? '')?.[1] ?? declaredIn(body) ?? 'utf-8';
  return label === 'utf-8' ? utf8.decode(body) : decoderFor(label).decode(body);
}

function markOf([first, second, third]: Uint8Array): string | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : null;
}

function declaredIn(body: Uint8Array): string | undefined {
  return XML_ENCODING.exec(Buffer.from(body.subarray(0, XML_START_BYTES)).toString('latin1'))?.[1];
}

function decoderFor(label: string): { decode(bytes: Uint8Array): string } {
  try {
    return new TextDecoder(label);
  } catch (error) {
    if (error instanceof RangeError) return new TextDecoder();
    throw error;
  }
}
