// Gives the parts of a person's name: those that the supplier sent apart as they came, others by splitting the whole name (contract 3.2).
import type { NameParts } from './lead-fields.ts';

/** The parts of a name that came whole; '' for one that it does not have. `first`, `middle` and `last` stand apart, without title and suffix. */
export type SplitName = {
  readonly prefix: string;
  readonly first: string;
  readonly middle: string;
  readonly last: string;
  readonly suffix: string;
  /** Whether a comma, a particle or the number of words says where the last name begins; otherwise it is taken to be the last word. */
  readonly isCertain: boolean;
};

const TITLES: ReadonlySet<string> = new Set([
  ...[
    'mr',
    'mrs',
    'ms',
    'miss',
    'mx',
    'mister',
    'sir',
    'madam',
    'dr',
    'doctor',
    'prof',
    'professor',
    'rev',
    'reverend',
  ],
  ...['sr', 'sra', 'srta', 'mme', 'mlle', 'herr', 'frau', 'capt', 'lt', 'sgt'],
]);
/** Titles with their full stop only: the same letters are a name, or part of one. */
const SHORTENED_TITLES: ReadonlySet<string> = new Set(['hon.', 'fr.', 'col.', 'gen.', 'maj.', 'cpl.', 'dra.', 'ing.']);
const SUFFIXES: ReadonlySet<string> = new Set([
  ...['jr', 'jnr', 'sr', 'snr', 'ii', 'iii', 'iv', 'esq', 'phd', 'md', 'dds', 'dmd', 'dvm', 'jd', 'cpa', 'rn', 'mba'],
]);
/** Words with which a last name of several words begins. */
const PARTICLES: ReadonlySet<string> = new Set([
  ...[
    'de',
    'del',
    'dela',
    'della',
    'delle',
    'dello',
    'degli',
    'dei',
    'di',
    'da',
    'dal',
    'do',
    'dos',
    'das',
    'du',
    'des',
  ],
  ...[
    'la',
    'le',
    'las',
    'los',
    'lo',
    'van',
    'von',
    'vom',
    'vander',
    'vanden',
    'der',
    'den',
    'dem',
    'ter',
    'ten',
    'zu',
    'zur',
  ],
  ...['zum', 'af', 'av', 'bin', 'binti', 'bint', 'ibn', 'abu', 'al', 'el', 'ul', 'st', 'saint', 'mc', 'mac'],
]);

const NOTHING: SplitName = { prefix: '', first: '', middle: '', last: '', suffix: '', isCertain: false };

/** `Dr. Juan Carlos de la Cruz Jr.` → Dr., Juan, Carlos, de la Cruz, Jr.; `Rivera, Mary Ann` → Mary, Ann, Rivera. */
export function splitName(fullName: string): SplitName {
  const { segments, suffixes } = withoutSuffixSegments(fullName);
  const [whole = '', given] = segments;
  if (segments.length === 2 && given !== undefined) return splitAtComma(whole, given, suffixes);
  const { prefix, words, suffix } = bare(wordsOf(segments.length > 2 ? fullName : whole));
  const around = { ...NOTHING, prefix: prefix.join(' '), suffix: [...suffix, ...suffixes].join(' ') };
  if (words.length < 2) {
    // A title stands before a last name: Mr. Smith.
    return prefix.length > 0 ? { ...around, last: words.join(' ') } : { ...around, first: words.join(' ') };
  }
  const begin = lastNameIn(words);
  const at = begin ?? words.length - 1;
  return {
    ...around,
    first: words[0] ?? '',
    middle: words.slice(1, at).join(' '),
    last: words.slice(at).join(' '),
    isCertain: begin !== null || words.length === 2,
  };
}

function splitAtComma(last: string, given: string, suffixes: readonly string[]): SplitName {
  const [lastName, others] = [bare(wordsOf(last)), bare(wordsOf(given))];
  return {
    prefix: [...lastName.prefix, ...others.prefix].join(' '),
    first: others.words[0] ?? '',
    middle: others.words.slice(1).join(' '),
    last: lastName.words.join(' '),
    suffix: [...lastName.suffix, ...others.suffix, ...suffixes].join(' '),
    isCertain: true,
  };
}

/** The parts between commas. `, Jr.` and `, Ph.D.` are no first names. */
function withoutSuffixSegments(fullName: string): { segments: string[]; suffixes: string[] } {
  const all = fullName.split(/[,，]/).map((segment) => segment.trim());
  const given = all.filter((segment) => segment !== '');
  const isSuffix = (segment: string, at: number): boolean => at > 0 && wordsOf(segment).every(isSuffixWord);
  return {
    segments: given.filter((segment, at) => !isSuffix(segment, at)),
    suffixes: given.filter(isSuffix),
  };
}

/** At least one word remains, so that a person called Sir is not without a name. */
function bare(all: readonly string[]): { prefix: string[]; words: string[]; suffix: string[] } {
  const words = [...all];
  const [prefix, suffix]: [string[], string[]] = [[], []];
  while (words.length > 1 && isTitle(words[0] ?? '')) prefix.push(words.shift() ?? '');
  while (words.length > 1 && isSuffixWord(words.at(-1) ?? '')) suffix.unshift(words.pop() ?? '');
  return { prefix, words, suffix };
}

/** The first particle behind a first name, or the name before a Spanish `y`; null if neither is there. */
function lastNameIn(words: readonly string[]): number | null {
  for (let at = 1; at < words.length - 1; at += 1) {
    const word = words[at]?.toLowerCase().replaceAll('.', '') ?? '';
    if (word === 'y' && at > 1) return at - 1;
    if (PARTICLES.has(word)) return at;
  }
  return null;
}

function isTitle(word: string): boolean {
  const lower = word.toLowerCase();
  return TITLES.has(lower.replaceAll('.', '')) || SHORTENED_TITLES.has(lower);
}

function isSuffixWord(word: string): boolean {
  return SUFFIXES.has(word.toLowerCase().replaceAll('.', ''));
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

type Named = NameParts & { readonly fullName: string };

/**
 * What goes into the name fields of a buyer's system; '' for what there is not. Parts that were sent are given as they came; if it was the first or
 * the last name alone, the other one is the rest of the full name. A name that came whole is split, and nothing but title and suffix is left out of
 * first and last name: where it does not say where the last name begins, that is all after the first word.
 */
export function namesOf({ fullName, firstName, lastName, ...sent }: Named): Required<NameParts> {
  const { middleName = '', namePrefix, nameSuffix } = sent;
  if (firstName !== undefined || lastName !== undefined) {
    return {
      firstName: firstName ?? withoutLast(fullName, lastName ?? ''),
      middleName,
      lastName: lastName ?? withoutFirst(fullName, firstName ?? ''),
      namePrefix: namePrefix ?? '',
      nameSuffix: nameSuffix ?? '',
    };
  }
  const split = splitName(fullName);
  return {
    ...firstAndLast(split),
    middleName,
    namePrefix: namePrefix ?? split.prefix,
    nameSuffix: nameSuffix ?? split.suffix,
  };
}

function firstAndLast({
  first,
  middle,
  last,
  isCertain,
}: SplitName): Pick<Required<NameParts>, 'firstName' | 'lastName'> {
  return isCertain
    ? { firstName: joined(first, middle), lastName: last }
    : { firstName: first, lastName: joined(middle, last) };
}

function withoutFirst(fullName: string, firstName: string): string {
  if (isSame(fullName, firstName)) return '';
  const split = splitName(fullName);
  const name = joined(split.first, split.middle, split.last);
  const start = `${firstName} `;
  return isSame(name.slice(0, start.length), start) ? name.slice(start.length) : firstAndLast(split).lastName;
}

function withoutLast(fullName: string, lastName: string): string {
  if (isSame(fullName, lastName)) return '';
  const split = splitName(fullName);
  const name = joined(split.first, split.middle, split.last);
  const end = ` ${lastName}`;
  return isSame(name.slice(-end.length), end) ? name.slice(0, -end.length) : firstAndLast(split).firstName;
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}

/** Text of all names of a person, in which each is found. */
export function everyName({ fullName, firstName, middleName, lastName }: Named): string {
  return joined(fullName, firstName ?? '', middleName ?? '', lastName ?? '');
}

/** The parts that were sent, and no others. */
export function sentParts({ firstName, middleName, lastName, namePrefix, nameSuffix }: NameParts): NameParts {
  return {
    ...(firstName === undefined ? {} : { firstName }),
    ...(middleName === undefined ? {} : { middleName }),
    ...(lastName === undefined ? {} : { lastName }),
    ...(namePrefix === undefined ? {} : { namePrefix }),
    ...(nameSuffix === undefined ? {} : { nameSuffix }),
  };
}
