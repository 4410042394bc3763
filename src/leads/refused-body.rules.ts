// How much of the body of a refused submission is kept: its first 8 KiB, which show what was wrong with it. Suppliers choose these bodies
// and pay for none of them.

/** Bytes of UTF-8. A lead with all fields and a long wording of its consent has about 3,000. */
export const REFUSED_BODY_MAX = 8192;

/** UTF-16 units, as of an e-mail address with what stands around it: a value that is longer is a text, of which the beginning is worth keeping. */
const VALUE_MAX = 320;

const encoder = new TextEncoder();
const scratch = new Uint8Array(REFUSED_BODY_MAX);

export type StoredBody = {
  readonly rawBody: string | null;
  /** How many bytes it had, where it is not kept whole. */
  readonly rawBodyBytes: number | null;
};

/** `isKept` false: of so many refusals that none of it is. */
export function keptOfRefusedBody(text: string, isKept: boolean): StoredBody {
  const bytes = Buffer.byteLength(text);
  if (!isKept) return { rawBody: null, rawBodyBytes: bytes };
  return bytes <= REFUSED_BODY_MAX
    ? { rawBody: text, rawBodyBytes: null }
    : { rawBody: beginningOf(text), rawBodyBytes: bytes };
}

/** No character and, where that costs little, no value is cut in half: half of an address or number would be found by no search for its person. */
function beginningOf(text: string): string {
  const whole = text.slice(0, encoder.encodeInto(text, scratch).read);
  const quote = whole.lastIndexOf('"') + 1;
  if (whole.length - quote <= VALUE_MAX) return whole.slice(0, quote);
  const blank = /\s\S*$/.exec(whole.slice(-VALUE_MAX));
  return blank === null ? whole : whole.slice(0, -blank[0].length);
}
