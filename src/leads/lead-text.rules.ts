// Reads and validates single members of a submission, and collects their errors (contract 3.3).
import ipaddr from 'ipaddr.js';
import { isBlank, isStorable, plainNumber, trimmed, withoutHidden } from '../base/text.ts';
import type { Members } from '../base/json.ts';
import { readPostedPhone } from '../platform/contact/written-phone.rules.ts';
import { invalidError, tooLongError } from './field-errors.rules.ts';

/**
 * A submission being read. `errors` grows in the order of reading. A reader returns null for a missing as well as for an invalid value,
 * because a lead with errors is rejected as a whole; `isGiven` distinguishes the two.
 */
export type Reading = {
  readonly body: Members;
  readonly errors: string[];
  /** What comes to the further members: the extension of a phone number, as `NAME_extension`. */
  further?: Record<string, string>;
};

export const TEXT_LENGTH_MAX = 500;
export const URL_LENGTH_MAX = 2048;

// URL parsers silently repair white space, control characters and backslashes.
const HTTP_URL = /^https?:\/\/[^\s\\\p{Cc}/?#][^\s\\\p{Cc}]*$/iu;
const IPV6_TEXT = /^[0-9a-f:]+(?:(?<=:)\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3})?$/i;

/** Whether the body has an own member with a visible value. A value of the wrong type counts. */
export function isGiven(reading: Reading, name: string): boolean {
  if (!Object.hasOwn(reading.body, name)) return false;
  const value = reading.body[name];
  return value !== null && value !== undefined && !(typeof value === 'string' && isBlank(value));
}

/** Text, trimmed also of invisible characters, of at most `lengthMax` code points. */
export function readText(reading: Reading, name: string, lengthMax: number = TEXT_LENGTH_MAX): string | null {
  if (!isGiven(reading, name)) return null;
  const value = reading.body[name];
  if (typeof value !== 'string' || !isStorable(value)) {
    return error(reading, invalidError(name));
  }
  const text = trimmed(value);
  return isLonger(text, lengthMax) ? error(reading, tooLongError(name)) : text;
}

type Form = {
  readonly lengthMax?: number;
  /** The text without characters that cannot be seen, with those that look like others replaced. */
  readonly plain?: (text: string) => string;
};

/** Text normalised by `parse`, as it is or else in its plain form; null from `parse` for both is an error. */
export function readParsed<Value>(
  reading: Reading,
  name: string,
  parse: (text: string) => Value | null,
  { lengthMax = TEXT_LENGTH_MAX, plain = plainNumber }: Form = {},
): Value | null {
  const text = readText(reading, name, lengthMax);
  if (text === null) return null;
  const value = parse(text);
  if (value !== null) return value;
  const plainForm = plain(text);
  return (plainForm === text ? null : parse(plainForm)) ?? error(reading, invalidError(name));
}

/** E.164; an extension comes to the further members. */
export function readPhoneNumber(reading: Reading, name: string): string | null {
  const phone = readParsed(reading, name, readPostedPhone);
  if (phone === null) return null;
  if (phone.extension !== null) (reading.further ??= {})[`${name}_extension`] = phone.extension;
  return phone.number;
}

/** A JSON number or a text, normalised by `parse`; null from `parse` is an error. */
export function readNumeric(
  reading: Reading,
  name: string,
  parse: (value: number | string) => number | null,
): number | null {
  const value = Object.hasOwn(reading.body, name) ? reading.body[name] : null;
  if (typeof value !== 'number') return readParsed(reading, name, parse);
  return parse(value) ?? error(reading, invalidError(name));
}

/** JSON true or false only. */
export function readBoolean(reading: Reading, name: string): boolean | null {
  if (!isGiven(reading, name)) return null;
  const value = reading.body[name];
  return typeof value === 'boolean' ? value : error(reading, invalidError(name));
}

/** An http or https URL as sent, without invisible characters. */
export function readUrl(reading: Reading, name: string): string | null {
  const given = readText(reading, name, URL_LENGTH_MAX);
  if (given === null) return null;
  const text = withoutHidden(given);
  return HTTP_URL.test(text) && URL.canParse(text) ? text : error(reading, invalidError(name));
}

/** IPv4 with four decimal parts, or IPv6 without a zone; not the laxer spellings that parsers accept. */
export function isIpAddress(text: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return true;
  if (!IPV6_TEXT.test(text) || !ipaddr.IPv6.isValid(text)) return false;
  return !text.includes('.') || ipaddr.IPv4.isValidFourPartDecimal(text.slice(text.lastIndexOf(':') + 1));
}

function error(reading: Reading, text: string): null {
  reading.errors.push(text);
  return null;
}

/** In code points, each of one or two UTF-16 units. */
export function isLonger(text: string, lengthMax: number): boolean {
  if (text.length <= lengthMax) return false;
  if (text.length > 2 * lengthMax) return true;
  let points = 0;
  for (const _ of text) points += 1;
  return points > lengthMax;
}
