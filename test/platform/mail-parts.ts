// Parses a received mail into headers and parts: as much of MIME as the service writes.

export type MailPart = {
  /** Lower case, such as `text/plain`. */
  readonly type: string;
  /** The whole Content-Type, and the whole Content-Disposition or ''. */
  readonly contentType: string;
  readonly disposition: string;
  readonly text: string;
};

export type ParsedMail = {
  readonly raw: string;
  /** Names in lower case, values unfolded and decoded; a header that stands twice is listed twice. */
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>;
  header(name: string): string | null;
  /** Leaves only, in their order. */
  readonly parts: readonly MailPart[];
  part(type: string): MailPart;
};

export function parseMail(bytes: Buffer): ParsedMail {
  const raw = bytes.toString('latin1');
  const { headers } = split(raw);
  const parts = leaves(raw);
  return {
    raw,
    headers: headers.map(([name, value]) => [name, decodeWords(value)]),
    header(name) {
      const found = headers.find(([given]) => given === name);
      return found === undefined ? null : decodeWords(found[1]);
    },
    parts,
    part(type) {
      const found = parts.find((part) => part.type === type);
      if (found === undefined) throw new Error(`no part ${type} among ${parts.map((part) => part.type).join(', ')}`);
      return found;
    },
  };
}

type Split = { readonly headers: Array<readonly [string, string]>; readonly body: string };

function split(raw: string): Split {
  const end = raw.indexOf('\r\n\r\n');
  if (end === -1) throw new Error('a mail without an end of its headers');
  const unfolded = raw.slice(0, end).replaceAll(/\r\n[ \t]+/g, ' ');
  const headers = unfolded.split('\r\n').map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  return { headers, body: raw.slice(end + 4) };
}

function leaves(raw: string): MailPart[] {
  const { headers, body } = split(raw);
  const header = (name: string): string => headers.find(([given]) => given === name)?.[1] ?? '';
  const contentType = header('content-type');
  const boundary = /^multipart\/.*boundary="?([^";]+)"?/i.exec(contentType)?.[1];
  if (boundary !== undefined) {
    const pieces = `\r\n${body}`.split(`\r\n--${boundary}`).slice(1, -1);
    return pieces.flatMap((piece) => leaves(piece.replace(/^\r\n/, '')));
  }
  return [
    {
      type: (contentType.split(';')[0] ?? '').toLowerCase(),
      contentType,
      disposition: header('content-disposition'),
      text: decodeBody(body, header('content-transfer-encoding').toLowerCase()),
    },
  ];
}

function decodeBody(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return Buffer.from(body, 'latin1').toString('utf8');
  return bytesOf(body.replaceAll(/[ \t]*=\r\n/g, ''), '=').toString('utf8');
}

/** `=E2=80=A6` → the bytes. */
function bytesOf(text: string, mark: string): Buffer {
  const plain = text.replaceAll(new RegExp(`${mark}([0-9A-Fa-f]{2})`, 'g'), (_, hex: string) =>
    String.fromCodePoint(Number.parseInt(hex, 16)),
  );
  return Buffer.from(plain, 'latin1');
}

/** RFC 2047; the space between two encoded words is none. */
function decodeWords(value: string): string {
  return value
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      (kind.toUpperCase() === 'B' ? Buffer.from(text, 'base64') : bytesOf(text.replaceAll('_', ' '), '=')).toString(
        'latin1',
      ),
    )
    .replace(/^.*$/s, (decoded) => Buffer.from(decoded, 'latin1').toString('utf8'));
}
