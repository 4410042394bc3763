// Checks whether a text is blank, so that "nothing was given" means the same everywhere (contract 3.3), takes invisible characters off, and
// shows them.

// White space, control characters, and characters that Unicode defines as invisible, with the blanks that it lists elsewhere:
// interlinear annotation marks and the empty Braille cell.
const BLANK = /^[\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800]*$/u;

/** True for the empty text and for white space or invisible characters only. A NUL is never harmless and does not count as blank. */
export function isBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  // Nearly every text starts with a printable ASCII character and needs no pattern.
  if (first > 0x20 && first < 0x7f) return false;
  return BLANK.test(text) && !text.includes('\0');
}

export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

// Variation selectors and tags are left out: the sign before them, such as an emoji, looks different without them.
const EDGE =
  /[\p{White_Space}\u00ad\u061c\u115f\u1160\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb]/u;
const JOINER = /[\u200c\u200d]/;
const MARK = /\p{M}/u;

/** Without white space and invisible characters at both ends. Inside they stay: many scripts join and part letters by them. */
export function trimmed(text: string): string {
  const first = text.charCodeAt(0);
  const last = text.charCodeAt(text.length - 1);
  if (first > 0x20 && first < 0x7f && last > 0x20 && last < 0x7f) return text;
  let from = 0;
  let to = text.length;
  while (from < to && EDGE.test(text.charAt(from))) from += 1;
  while (to > from && EDGE.test(text.charAt(to - 1))) {
    // A joiner behind a mark shapes the last letter of words in Malayalam and its like.
    if (JOINER.test(text.charAt(to - 1)) && MARK.test(text.charAt(to - 2))) break;
    to -= 1;
  }
  return text.slice(from, to);
}

const ODD_SPACE = /[\p{White_Space}\u2800]/gu;
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;
const FULL_WIDTH = /[\uff01-\uff5e]/g;

/**
 * For a value with a form of its own, such as a number, a time or an address: without invisible characters, with ordinary spaces, and with
 * the ASCII characters that full-width ones stand for.
 */
export function plainText(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return text.trim();
  return text
    .replaceAll(ODD_SPACE, ' ')
    .replaceAll(INVISIBLE, '')
    .replaceAll(FULL_WIDTH, (wide) => String.fromCodePoint(wide.charCodeAt(0) - 0xfee0))
    .trim();
}

const HIDDEN = /(?![\u200c\u200d])[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;

/** Without invisible characters other than the joiners that some scripts write words with: for a URL, which may hold any letters. */
export function withoutHidden(text: string): string {
  return PRINTABLE_ASCII.test(text) ? text : text.replaceAll(HIDDEN, '');
}

const DASH = /[\u2010-\u2015\u2043\u2212\ufe58\ufe63]/g;

/** As `plainText`, and every dash is a hyphen: for values in which a dash only parts digits. */
export function plainNumber(text: string): string {
  return plainText(text).replaceAll(DASH, '-');
}

const STRANGE = /(?! )[\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800\p{Pd}](?<!-)/gu;

/** With the code point of each character that cannot be seen, or looks like another one: `+1[U+2011]555`. */
export function withVisibleMarks(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return text;
  return text.replaceAll(STRANGE, markOf).replaceAll(FULL_WIDTH, markOf);
}

function markOf(character: string): string {
  const point = character.codePointAt(0) ?? 0;
  return `[U+${point.toString(16).toUpperCase().padStart(4, '0')}]`;
}

/** Whether all texts of a JSON value, names of members included, are well-formed Unicode; they may have NUL. Any depth is possible. */
export function isWellFormedJson(value: unknown): boolean {
  if (typeof value !== 'object') return typeof value !== 'string' || value.isWellFormed();
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next === 'string' && !next.isWellFormed()) return false;
    if (typeof next !== 'object' || next === null) continue;
    if (Array.isArray(next)) for (const entry of next) pending.push(entry);
    else for (const [name, member] of Object.entries(next)) pending.push(name, member);
  }
  return true;
}
