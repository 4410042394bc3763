// Finds a person's e-mail address or phone number in a text of any form, such as the body of a refused submission. Suppliers choose
// that text, so it is read once from the start to the end, whatever it holds: no pattern that could begin anew at every character.

export type PersonInText = {
  /** A mailbox in small letters and without a tag, or (`isWhole` false) the beginning of one that reaches beyond its `@`. */
  readonly email: { readonly mailbox: string; readonly isWhole: boolean } | null;
  /** National number without the country's code: text is often refused for lacking that. */
  readonly nationalDigits: string | null;
};

const AT = 64;
const PLUS = 43;
const BACKSLASH = 92;
const DOT = 46;
const ZERO = 48;
const NINE = 57;
const UNICODE_ESCAPE_LENGTH = 5;

/** By code of ASCII: 0 for what ends a part of an address, else the code of the same character in small letters. */
const LOCAL = codesOf("abcdefghijklmnopqrstuvwxyz0123456789_.!#$%&'*+/=?^`{|}~-");
const OTHER_LETTERS = /^[\p{L}\p{N}]/u;
const BEYOND_ASCII = /[^\0-\x7f]/;
const DOMAIN = codesOf('abcdefghijklmnopqrstuvwxyz0123456789.-');

export function isPersonInText(text: string, { email, nationalDigits }: PersonInText): boolean {
  const wanted = email === null ? null : wantedAddress(email);
  const address = wanted !== null && mayHaveDomain(text, wanted.domain) ? wanted : null;
  const digits = nationalDigits === null ? null : Buffer.alloc(text.length);
  let digitCount = 0;
  let before = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === AT) {
      const isNamed = before >= LOCAL.length || LOCAL[before] !== 0;
      if (isNamed && address !== null && isAddress(text, index, address)) return true;
    } else if (digits !== null && code >= ZERO && code <= NINE) {
      digits[digitCount++] = code;
    }
    before = code;
  }
  return digits !== null && nationalDigits !== null && digits.subarray(0, digitCount).includes(nationalDigits);
}

type WantedAddress = { readonly name: string; readonly domain: string; readonly isWhole: boolean };

/** Null where the text has no name before its `@`. */
function wantedAddress({ mailbox, isWhole }: NonNullable<PersonInText['email']>): WantedAddress | null {
  const at = mailbox.lastIndexOf('@');
  return at <= 0 ? null : { name: mailbox.slice(0, at), domain: mailbox.slice(at + 1), isWhole };
}

/**
 * False only where the domain is certainly not there. The engine looks for a plain word many times faster than the loop of
 * `isPersonInText`, which text of nothing but `@` would keep busy; beyond ASCII letters have small forms that it does not know.
 */
function mayHaveDomain(text: string, domain: string): boolean {
  if (BEYOND_ASCII.test(domain) || BEYOND_ASCII.test(text)) return true;
  return new RegExp(`@${domain.replace(/[^a-z0-9]/gi, String.raw`\$&`)}`, 'i').test(text);
}

function isAddress(text: string, at: number, address: WantedAddress): boolean {
  if (!isDomain(text, at + 1, address)) return false;
  let start = at;
  // Ends at the `@` before, so that no character is read for more than one.
  while (start > 0 && codeAt(text, start - 1, LOCAL) !== 0) start -= 1;
  if (isName(text, { start, at }, address.name)) return true;
  // In JSON a line break is \n and an angle bracket often \u003c: those letters are no part of the name behind them.
  if (start === 0 || text.charCodeAt(start - 1) !== BACKSLASH) return false;
  return (
    isName(text, { start: start + 1, at }, address.name) ||
    isName(text, { start: start + UNICODE_ESCAPE_LENGTH, at }, address.name)
  );
}

/** The name, and behind it the `@` or a tag. A name that begins with a plus has no tag. */
function isName(text: string, { start, at }: { readonly start: number; readonly at: number }, name: string): boolean {
  const end = start + name.length;
  if (end > at || !isSame(text, { start, codes: LOCAL }, name)) return false;
  return end === at || (text.charCodeAt(end) === PLUS && name.charCodeAt(0) !== PLUS);
}

/** Of a whole domain nothing may follow that goes on with it; the dot at the end of a sentence does not. */
function isDomain(text: string, start: number, { domain, isWhole }: WantedAddress): boolean {
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
  // Beyond the end of the text it is no number.
  return code >= codes.length ? otherLetter(code) : 0;
}

/** Leads of earlier versions may have addresses in other alphabets; what is no letter there ends an address. */
function otherLetter(code: number): number {
  const letter = String.fromCharCode(code).toLowerCase();
  return OTHER_LETTERS.test(letter) ? letter.charCodeAt(0) : 0;
}

function codesOf(smallLetters: string): Uint8Array {
  const codes = new Uint8Array(128);
  for (const one of smallLetters) {
    codes[one.charCodeAt(0)] = one.charCodeAt(0);
    codes[one.toUpperCase().charCodeAt(0)] = one.charCodeAt(0);
  }
  return codes;
}
