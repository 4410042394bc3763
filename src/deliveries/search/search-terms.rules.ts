// Makes the search terms of a delivery from the contact's name, email address and phone, in a form that is searched by prefix, so that
// ordinary indexes can be used.
import type { LeadFields } from '../../leads/lead-fields.ts';
import { normalizeMailbox } from '../../leads/identity.rules.ts';
import { nameWords } from '../../leads/name-words.ts';

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
