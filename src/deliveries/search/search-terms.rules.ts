// Makes the search terms of a delivery from the contact's name, e-mail address and phone, in a form that is searched by prefix, so that
// ordinary indexes can be used.
import type { LeadFields } from '../../leads/lead-fields.ts';
import { normalizeMailbox } from '../../leads/identity.rules.ts';

export type SearchedPerson = Pick<LeadFields, 'fullName' | 'email' | 'phone'>;

/** Null for missing terms. */
export type SearchTerms = {
  /** All words of the name in one spelling. */
  readonly name: string | null;
  /** The same words rotated to begin with the second, third and last one, because users search for any of them. Null if not different. */
  readonly nameFrom2: string | null;
  readonly nameFrom3: string | null;
  readonly nameFromLast: string | null;
  readonly email: string | null;
  /** Digits in reverse order. */
  readonly phone: string | null;
};

// Longer texts are lists of names, or no names.
const WORDS_MOST = 6;
/** In code points of at most four bytes, far below the size limit of an index entry. */
const NAME_LENGTH_MAX = 60;

export function searchTerms({ fullName, email, phone }: SearchedPerson): SearchTerms {
  const words = nameWords(fullName);
  const count = words.length;
  return {
    name: count > 0 ? nameFrom(words, 0) : null,
    nameFrom2: count > 2 ? nameFrom(words, 1) : null,
    nameFrom3: count > 3 ? nameFrom(words, 2) : null,
    nameFromLast: count > 1 ? nameFrom(words, count - 1) : null,
    email: email === null ? null : normalizeMailbox(email),
    phone: phone === null ? null : reversedDigits(phone),
  };
}

/** Most names are plain letters, which are normalized ten times as fast. */
const PLAIN = /^[A-Za-z ]*$/;

/**
 * The normalized words of a name or of a search text: lowercase letters without accents, and digits. An apostrophe does not split a word:
 * O’Brien is one word.
 */
export function nameWords(text: string): string[] {
  return wordsOf(text).slice(0, WORDS_MOST);
}

/** The same of a text of any length. */
export function wordsOf(text: string): string[] {
  const words = PLAIN.test(text) ? text.toLowerCase().split(' ') : inOneSpelling(text).split(/[^\p{L}\p{N}]+/u);
  return words.filter((word) => word !== '');
}

function inOneSpelling(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[\p{M}'’ʼ`]/gu, '')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ς', 'σ');
}

/** Digits in reverse order: users remember the end of a number, and may not know its prefix. */
export function reversedDigits(phone: string): string {
  let digits = '';
  for (const character of phone) if (character >= '0' && character <= '9') digits = character + digits;
  return digits;
}

function nameFrom(words: readonly string[], index: number): string {
  const name = [...words.slice(index), ...words.slice(0, index)].join(' ');
  return name.length <= NAME_LENGTH_MAX ? name : [...name].slice(0, NAME_LENGTH_MAX).join('');
}
