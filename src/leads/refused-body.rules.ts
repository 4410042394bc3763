// Truncates the body of a rejected submission for storage to its first 8 KiB, enough to see the error: suppliers pay nothing for them.
/** Bytes of UTF-8. A lead with all fields and a long consent text has about 3,000. */
export const REFUSED_BODY_MAX = 8192;

/** UTF-16 units, the longest email address and its quotes. A longer value is a text, whose beginning is worth storing. */
const VALUE_MAX = 320;

const encoder = new TextEncoder();
const scratch = new Uint8Array(REFUSED_BODY_MAX);

export type StoredBody = {
  readonly rawBody: string | null;
  /** The length of the whole body in bytes, if not all of it is stored. */
  readonly rawBodyBytes: number | null;
};

/** `isKept` false stores only the length, if the daily limit is reached. */
export function truncateRefusedBody(text: string, isKept: boolean): StoredBody {
  const bytes = Buffer.byteLength(text);
  if (!isKept) return { rawBody: null, rawBodyBytes: bytes };
  return bytes <= REFUSED_BODY_MAX
    ? { rawBody: text, rawBodyBytes: null }
    : { rawBody: firstPart(text), rawBodyBytes: bytes };
}

/** Cuts between characters and, if close enough, between values: a search for a person would not find half of an address or number. */
function firstPart(text: string): string {
  const whole = text.slice(0, encoder.encodeInto(text, scratch).read);
  const quote = whole.lastIndexOf('"') + 1;
  if (whole.length - quote <= VALUE_MAX) return whole.slice(0, quote);
  const blank = /\s\S*$/.exec(whole.slice(-VALUE_MAX));
  return blank === null ? whole : whole.slice(0, -blank[0].length);
}
