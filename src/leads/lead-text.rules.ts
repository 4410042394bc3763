// Reads one member of a submission at a time and notes its fault in the contract's words (contract 3.3).
import ipaddr from 'ipaddr.js';
import { isBlank } from '../base/blank-text.ts';
import type { Members } from '../base/members.ts';
import { isStorable } from '../base/storable-text.ts';
import { invalidFault, lengthFault } from './faults.rules.ts';

/**
 * One submission being read. `faults` grows in the order of reading. A reader answers null both for "not given" and for a fault, because a lead
 * with faults is refused as a whole; `isGiven` tells the two apart.
 */
export type Reading = { readonly body: Members; readonly faults: string[] };

export const TEXT_LENGTH_MAX = 500;
export const URL_LENGTH_MAX = 2048;

// White space, control characters and backslashes are what URL parsers silently repair.
const HTTP_URL = /^https?:\/\/[^\s\\\p{Cc}/?#][^\s\\\p{Cc}]*$/iu;
const IPV6_TEXT = /^[0-9a-f:]+(?:(?<=:)\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3})?$/i;

/** Whether the body has a value of its own here that is more than nothing to see; a value of a wrong type is. */
export function isGiven(reading: Reading, name: string): boolean {
  if (!Object.hasOwn(reading.body, name)) return false;
  const value = reading.body[name];
  return value !== null && value !== undefined && !(typeof value === 'string' && isBlank(value));
}

/** Text, trimmed, of at most `lengthMax` code points. */
export function readText(reading: Reading, name: string, lengthMax: number = TEXT_LENGTH_MAX): string | null {
  if (!isGiven(reading, name)) return null;
  const value = reading.body[name];
  if (typeof value !== 'string' || !isStorable(value)) {
    return fault(reading, invalidFault(name));
  }
  const text = value.trim();
  return isLonger(text, lengthMax) ? fault(reading, lengthFault(name)) : text;
}

/** Text in the one form that `parse` makes of it; null from `parse` is a fault. */
export function readParsed<Value>(
  reading: Reading,
  name: string,
  parse: (text: string) => Value | null,
  lengthMax: number = TEXT_LENGTH_MAX,
): Value | null {
  const text = readText(reading, name, lengthMax);
  return text === null ? null : (parse(text) ?? fault(reading, invalidFault(name)));
}

/** JSON's true or false and nothing else. */
export function readBoolean(reading: Reading, name: string): boolean | null {
  if (!isGiven(reading, name)) return null;
  const value = reading.body[name];
  return typeof value === 'boolean' ? value : fault(reading, invalidFault(name));
}

/** An http or https URL as sent. */
export function readUrl(reading: Reading, name: string): string | null {
  const text = readText(reading, name, URL_LENGTH_MAX);
  if (text === null) return null;
  return HTTP_URL.test(text) && URL.canParse(text) ? text : fault(reading, invalidFault(name));
}

/** IPv4 in four decimal parts or IPv6 without a zone; the laxer spellings that address parsers take are refused. */
export function isIpAddress(text: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return true;
  if (!IPV6_TEXT.test(text) || !ipaddr.IPv6.isValid(text)) return false;
  return !text.includes('.') || ipaddr.IPv4.isValidFourPartDecimal(text.slice(text.lastIndexOf(':') + 1));
}

function fault(reading: Reading, text: string): null {
  reading.faults.push(text);
  return null;
}

/** Counted in code points, of which each takes one or two UTF-16 units. */
export function isLonger(text: string, lengthMax: number): boolean {
  if (text.length <= lengthMax) return false;
  if (text.length > 2 * lengthMax) return true;
  let points = 0;
  for (const _ of text) points += 1;
  return points > lengthMax;
}
