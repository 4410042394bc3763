// By what a delivery is found: the name, e-mail address and phone of its person, each in a form whose beginning is looked for, so that
// an index in the order of texts serves it.
import type { LeadFields } from '../../leads/lead-fields.ts';
import { normalizeMailbox } from '../../leads/identity.rules.ts';

export type SearchedPerson = Pick<LeadFields, 'fullName' | 'email' | 'phone'>;

/** Null for what there is not. */
export type SearchTerms = {
  /** All words of the name in one spelling. */
  readonly name: string | null;
  /** The same words from the second, the third and the last one on: people look for any of them. Each only where it differs. */
  readonly nameFrom2: string | null;
  readonly nameFrom3: string | null;
  readonly nameFromLast: string | null;
  readonly email: string | null;
  /** Digits from the last to the first. */
  readonly phone: string | null;
};

// Longer names are lists of names or no names at all.
const WORDS_MOST = 6;
/** Code points of at most four bytes, far below what an index takes. */
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
    phone: phone === null ? null : backwards(phone),
  };
}

/** Plain letters: what most names are, and ten times as quick to read as the rest. */
const PLAIN = /^[A-Za-z ]*$/;

/**
 * The words of a name, or of what somebody types to find it, in one spelling: small letters without accents, and nothing but letters and
 * digits. An apostrophe is part of its word: O’Brien is one.
 */
export function nameWords(text: string): string[] {
  const words = PLAIN.test(text) ? text.toLowerCase().split(' ') : inOneSpelling(text).split(/[^\p{L}\p{N}]+/u);
  return words.filter((word) => word !== '').slice(0, WORDS_MOST);
}

function inOneSpelling(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/[\p{M}'’ʼ`]/gu, '')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ς', 'σ');
}

/** Digits from the last to the first: people remember how a number ends, whatever stands before. */
export function backwards(phone: string): string {
  let digits = '';
  for (const character of phone) if (character >= '0' && character <= '9') digits = character + digits;
  return digits;
}

function nameFrom(words: readonly string[], index: number): string {
  const name = [...words.slice(index), ...words.slice(0, index)].join(' ');
  return name.length <= NAME_LENGTH_MAX ? name : [...name].slice(0, NAME_LENGTH_MAX).join('');
}
