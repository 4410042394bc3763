// Finds an email address or phone number in any text, such as the body of a rejected submission. Suppliers control that text, so the search
// is linear in its length for every input: no regular expression that could backtrack.
export type TextContact = {
  /** A mailbox in lower case without a tag, or (`isWhole` false) its beginning, up to the `@` at least. */
  readonly email: { readonly mailbox: string; readonly isWhole: boolean } | null;
  /** The number without country code, because submissions are often rejected for lacking it. */
  readonly nationalDigits: string | null;
};

const AT = 64;
const PLUS = 43;
const BACKSLASH = 92;
const DOT = 46;
const ZERO = 48;
const NINE = 57;
const UNICODE_ESCAPE_LENGTH = 5;

/** By ASCII code: the code of the character in lower case, or 0 if it cannot be part of an address. */
const LOCAL = codesOf("abcdefghijklmnopqrstuvwxyz0123456789_.!#$%&'*+/=?^`{|}~-");
const OTHER_LETTERS = /^[\p{L}\p{N}]/u;
const BEYOND_ASCII = /[^\0-\x7f]/;
const DOMAIN = codesOf('abcdefghijklmnopqrstuvwxyz0123456789.-');

export function containsContact(text: string, { email, nationalDigits }: TextContact): boolean {
  const wanted = email === null ? null : addressPattern(email);
  const address = wanted !== null && mayHaveDomain(text, wanted.domain) ? wanted : null;
  const digits = nationalDigits === null ? null : Buffer.alloc(text.length);
  let digitCount = 0;
  let before = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === AT) {
      const hasName = before >= LOCAL.length || LOCAL[before] !== 0;
      if (hasName && address !== null && isAddress(text, index, address)) return true;
    } else if (digits !== null && code >= ZERO && code <= NINE) {
      digits[digitCount++] = code;
    }
    before = code;
  }
  return digits !== null && nationalDigits !== null && digits.subarray(0, digitCount).includes(nationalDigits);
}

type AddressPattern = { readonly name: string; readonly domain: string; readonly isWhole: boolean };

/** Null if there is no name before the `@`. */
function addressPattern({ mailbox, isWhole }: NonNullable<TextContact['email']>): AddressPattern | null {
  const at = mailbox.lastIndexOf('@');
  return at <= 0 ? null : { name: mailbox.slice(0, at), domain: mailbox.slice(at + 1), isWhole };
}

/**
 * False only if the domain certainly does not occur. The regular expression engine searches a literal many times faster than the loop of
 * `containsContact`, which a text full of `@` would slow down. Beyond ASCII, its lower case differs from ours.
 */
function mayHaveDomain(text: string, domain: string): boolean {
  if (BEYOND_ASCII.test(domain) || BEYOND_ASCII.test(text)) return true;
  return new RegExp(`@${domain.replace(/[^a-z0-9]/gi, String.raw`\$&`)}`, 'i').test(text);
}

function isAddress(text: string, at: number, address: AddressPattern): boolean {
  if (!isDomain(text, at + 1, address)) return false;
  let start = at;
  // Stops at the previous `@`, so that no character is read twice.
  while (start > 0 && codeAt(text, start - 1, LOCAL) !== 0) start -= 1;
  if (isName(text, { start, at }, address.name)) return true;
  // JSON escapes a line break as \n and often an angle bracket as \u003c: those letters do not belong to the name after them.
  if (start === 0 || text.charCodeAt(start - 1) !== BACKSLASH) return false;
  return (
    isName(text, { start: start + 1, at }, address.name) ||
    isName(text, { start: start + UNICODE_ESCAPE_LENGTH, at }, address.name)
  );
}

/** The name, followed by the `@` or a tag. A name that starts with a plus sign has no tag. */
function isName(text: string, { start, at }: { readonly start: number; readonly at: number }, name: string): boolean {
  const end = start + name.length;
  if (end > at || !isSame(text, { start, codes: LOCAL }, name)) return false;
  return end === at || (text.charCodeAt(end) === PLUS && name.charCodeAt(0) !== PLUS);
}

/** A whole domain must end here, or before the full stop of a sentence. */
function isDomain(text: string, start: number, { domain, isWhole }: AddressPattern): boolean {
  if (!isSame(text, { start, codes: DOMAIN }, domain)) return false;
  const end = start + domain.length;
  if (!isWhole) return end > start || codeAt(text, end, DOMAIN) !== 0;
  const next = codeAt(text, end, DOMAIN);
  return next === 0 || (next === DOT && [0, DOT].includes(codeAt(text, end + 1, DOMAIN)));
}

function isSame(
  text: string,
  { start, codes }: { readonly start: number; readonly codes: Uint8Array },
  wanted: string,
): boolean {
  for (let index = 0; index < wanted.length; index++) {
    if (codeAt(text, start + index, codes) !== wanted.charCodeAt(index)) return false;
  }
  return true;
}

function codeAt(text: string, index: number, codes: Uint8Array): number {
  const code = text.charCodeAt(index);
  if (code < codes.length) return codes[code] ?? 0;
  // NaN beyond the end of the text.
  return code >= codes.length ? otherLetter(code) : 0;
}

/** Leads of earlier versions may have addresses in other alphabets. Returns 0 for characters other than letters and digits. */
function otherLetter(code: number): number {
  const letter = String.fromCharCode(code).toLowerCase();
  return OTHER_LETTERS.test(letter) ? letter.charCodeAt(0) : 0;
}

function codesOf(lowerCase: string): Uint8Array {
  const codes = new Uint8Array(128);
  for (const one of lowerCase) {
    codes[one.charCodeAt(0)] = one.charCodeAt(0);
    codes[one.toUpperCase().charCodeAt(0)] = one.charCodeAt(0);
  }
  return codes;
}
