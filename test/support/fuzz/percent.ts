// Writes any text into a URL, also text that a URL must not contain.

/** UTF-8 in percent escapes; half of a character becomes the bytes that an encoder without a check would send. */
export function percent(text: string): string {
  return [...text]
    .map((point) => {
      if (/^[\w.~-]$/.test(point)) return point;
      if (point.isWellFormed()) return encodeURIComponent(point);
      const unit = point.charCodeAt(0);
      const bytes = [0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)];
      return bytes.map((byte) => `%${byte.toString(16)}`).join('');
    })
    .join('');
}
