// Takes a person out of a text that others wrote about the lead: its names, addresses and numbers, in the spellings that occur
// (decision 021).

export type NamedPerson = {
  readonly fullName: string;
  readonly email: string | null;
  /** E.164. */
  readonly phone: string | null;
  readonly businessName: string | null;
};

/** Stands where something of a person was taken out. */
export const ERASED = '[erased]';

/** Shorter ones are initials and particles, which stand in every other word. */
const NAME_LENGTH_MIN = 3;
/** A national number without its country's code; fewer digits could be anything. */
const NATIONAL_DIGITS = 10;

export function withoutPerson(text: string, person: NamedPerson): string {
  return patternsOf(person).reduce((left, pattern) => left.replace(pattern, ERASED), text);
}

/** The longest first, so that no rest of a whole name stays behind. */
function patternsOf({ fullName, email, phone, businessName }: NamedPerson): RegExp[] {
  const words = fullName.split(/\s+/).filter((word) => word.length >= NAME_LENGTH_MIN);
  return [
    ...(email === null ? [] : spellings(email, '')),
    ...(phone === null ? [] : [numberPattern(phone)]),
    ...spellings(fullName, ''),
    ...(businessName === null ? [] : spellings(businessName, '')),
    // Whole words only: a name may be part of an ordinary word.
    ...words.flatMap((word) => spellings(word, '(?<![\\p{L}\\p{N}])')),
  ];
}

/** As written and as an address of a page has it. */
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

/** The digits with whatever people put between them, with the country's code or without. */
function numberPattern(phone: string): RegExp {
  const digits = phone.replaceAll(/\D/g, '');
  const national = digits.slice(-NATIONAL_DIGITS);
  const code = digits.slice(0, -NATIONAL_DIGITS);
  const between = '(?:[\\s().\\-/+]|%20|%2B|%28|%29){0,3}';
  const spelled = [...national].join(between);
  return new RegExp(`(?<!\\d)(?:(?:\\+|%2B)?${code}${between})?\\(?${spelled}(?!\\d)`, 'giu');
}
