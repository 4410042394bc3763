// Reads phone numbers as files, forms and contact books write them, with an extension, and without making up a country or a digit (contract 15.2).
import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max';

import { plainNumber } from '../../base/text.ts';
import { readPhone } from './phone.rules.ts';

export type WrittenPhone = {
  /** E.164. */
  readonly number: string;
  /** The digits behind `ext.`, `x`, `;ext=` and their like. */
  readonly extension: string | null;
};

const MARKED = /^\(?\+[\d ()./-]+$(?<!\.\d)/;
// No number ends with a group of one digit: it is an extension without its mark, or the decimal of an amount.
const UNMARKED = /^[\d(][\d ()./-]*[\d)]$(?<![ ./-]\d)/;
// A slash beside a blank parts two numbers.
const ALTERNATIVE = / \/|\/ /;

const LENGTH_MAX = 60;
const ARABIC_DIGIT = /[\u0660-\u0669\u06f0-\u06f9]/g;
const SCHEME = /^tel:/i;
// What software writes that took the number for an amount.
const DECIMALS = /^(\+?\d+)\.0+$/;
/** Extensions are longer nowhere. */
const EXTENSION = /^(.*[\d)])[ .]*(?:[,;]+ *(?:ext[a-z]*[.:=]* *)?|\(?(?:ext(?:n|ension)?|x|#)[.:=]* *)(\d{1,7})\)?$/i;
const NORTH_AMERICAN = /^1?([2-9]\d{9})$/;
const INTERNATIONAL_PREFIX = /^(?:011|00)(?=[1-9])/;

/**
 * With `+`, `00` or `011` a number of any country; without, ten digits of North America, or eleven that begin with its 1. Null for anything
 * else, such as eleven digits of a country that is not named.
 */
export function readWrittenPhone(written: string): WrittenPhone | null {
  const quick = readPhone(written) ?? readDialled(written);
  if (quick !== null) return { number: quick, extension: null };
  const parts = partsOf(written);
  if (parts === null) return null;
  const { main, extension } = parts;
  const digits = main.replaceAll(/\D/g, '');
  const number = main.includes('+') ? readPhone(`+${digits}`) : readDialled(digits);
  return number === null ? null : { number, extension };
}

/** As a supplier posts it: the country code needs its plus. */
export function readPostedPhone(written: string): WrittenPhone | null {
  const quick = readPhone(written);
  if (quick !== null) return { number: quick, extension: null };
  const parts = partsOf(written);
  // A slash may part two numbers.
  if (parts?.main.includes('+') !== true || parts.main.includes('/')) return null;
  const number = readPhone(`+${parts.main.replaceAll(/\D/g, '')}`);
  return number === null ? null : { number, extension: parts.extension };
}

/** Ten digits of North America with or without the 1, in any spelling. Null for numbers of other countries, and for anything else. */
export function readNorthAmerican(written: string): WrittenPhone | null {
  const parts = partsOf(written);
  if (parts === null) return null;
  const digits = parts.main.replaceAll(/\D/g, '');
  const [, national] = NORTH_AMERICAN.exec(digits) ?? [];
  // With a plus the first digit is that of the country.
  if (national === undefined || (parts.main.includes('+') && digits.length === national.length)) return null;
  return { number: `+1${national}`, extension: parts.extension };
}

/** Whether the text is the two letters of a country that has phone numbers, in capitals. */
export function isPhoneCountry(code: string): code is CountryCode {
  return isSupportedCountry(code);
}

/** A number as it is dialled in the country; one with a plus may be of any. */
export function readNationalPhone(written: string, country: CountryCode): WrittenPhone | null {
  const parts = partsOf(written);
  if (parts === null) return null;
  const { main, extension } = parts;
  if (main.includes('+')) return readWrittenPhone(written);
  const parsed = parsePhoneNumberFromString(main.replaceAll(/\D/g, ''), country);
  const number = parsed === undefined ? null : readPhone(parsed.number);
  return number === null ? null : { number, extension };
}

/** The number with its marks, apart from its extension. */
function partsOf(written: string): { readonly main: string; readonly extension: string | null } | null {
  if (written.length > LENGTH_MAX * 2) return null;
  const plain = plainNumber(written).replaceAll(ARABIC_DIGIT, (digit) => String(digit.charCodeAt(0) & 0xf));
  if (plain.length > LENGTH_MAX) return null;
  const bare = plain.replace(SCHEME, '').trim();
  const [, before = bare, extension = null] = EXTENSION.exec(bare) ?? [];
  const main = before.trim().replace(DECIMALS, '$1');
  const isNumber = (MARKED.test(main) || UNMARKED.test(main)) && !ALTERNATIVE.test(main);
  return isNumber ? { main, extension } : null;
}

function readDialled(digits: string): string | null {
  if (INTERNATIONAL_PREFIX.test(digits)) return readPhone(`+${digits.replace(INTERNATIONAL_PREFIX, '')}`);
  const [, national] = NORTH_AMERICAN.exec(digits) ?? [];
  return national === undefined ? null : `+1${national}`;
}
