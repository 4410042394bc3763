// Whether a client wants an answer compressed with gzip, by its Accept-Encoding (RFC 9110, 12.5.3).

const ITEM = /^([!#$%&'*+.^_`|~0-9a-z-]+)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/;

/** Only on request: not without the header, and not where it prefers the plain answer. What cannot be read of it is ignored. */
export function wantsGzip(header: string | undefined): boolean {
  const weights = new Map<string, number>();
  for (const item of (header ?? '').toLowerCase().split(',')) {
    const [, coding, weight = '1'] = ITEM.exec(item.trim()) ?? [];
    if (coding !== undefined) weights.set(coding === 'x-gzip' ? 'gzip' : coding, Number(weight));
  }
  const gzip = weights.get('gzip') ?? weights.get('*') ?? 0;
  return gzip > 0 && gzip >= (weights.get('identity') ?? 0);
}
