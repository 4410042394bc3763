// Masks names, addresses and numbers of a person in free text, in all common spellings (decision 021).
import type { NameParts } from './lead-fields.ts';
import { everyName } from './person-name.rules.ts';

export type Identity = NameParts & {
  readonly fullName: string;
  readonly email: string | null;
  /** E.164. */
  readonly phone: string | null;
  readonly businessName: string | null;
};

/** Replaces masked text. */
export const ERASED = '[erased]';

/** Shorter words are initials and particles, which occur everywhere. */
const NAME_LENGTH_MIN = 3;
/** Digits of a number without country code; fewer could be anything. */
const NATIONAL_DIGITS = 10;

export function maskIdentity(text: string, identity: Identity): string {
  return identityPatterns(identity).reduce((left, pattern) => left.replace(pattern, ERASED), text);
}

/** Longest first, so that no part of a full name remains. */
function identityPatterns(identity: Identity): RegExp[] {
  const { fullName, email, phone, businessName } = identity;
  const words = new Set(everyName(identity).split(/\s+/));
  return [
    ...(email === null ? [] : spellings(email, '')),
    ...(phone === null ? [] : [numberPattern(phone)]),
    ...spellings(fullName, ''),
    ...(businessName === null ? [] : spellings(businessName, '')),
    // Whole words only: a name may be part of another word.
    ...[...words]
      .filter((word) => word.length >= NAME_LENGTH_MIN)
      .flatMap((word) => spellings(word, '(?<![\\p{L}\\p{N}])')),
  ];
}

/** As written, and percent-encoded as in a URL. */
function spellings(value: string, before: string): RegExp[] {
  const after = before === '' ? '' : '(?![\\p{L}\\p{N}])';
  const encoded = encodeURIComponent(value.toWellFormed());
  const all = new Set([value, encoded, encoded.replaceAll('%20', '+'), encoded.replaceAll('%40', '@')]);
  return [...all].map((spelling) => new RegExp(before + escaped(spelling) + after, 'giu'));
}

const SYNTAX = /[\^$\\.*+?()[\]{}|/]/g;

function escaped(text: string): string {
  return text.replaceAll(SYNTAX, '\\$&');
}

/** The digits with common separators, with or without country code. */
function numberPattern(phone: string): RegExp {
  const digits = phone.replaceAll(/\D/g, '');
  const national = digits.slice(-NATIONAL_DIGITS);
  const code = digits.slice(0, -NATIONAL_DIGITS);
  const between = '(?:[\\s().\\-/+]|%20|%2B|%28|%29){0,3}';
  const spelled = [...national].join(between);
  return new RegExp(`(?<!\\d)(?:(?:\\+|%2B)?${code}${between})?\\(?${spelled}(?!\\d)`, 'giu');
}
