// Parses RFC 3339 instants: date, time with seconds, and `Z` or an offset (contract 3.3).
import { strict as assert } from 'node:assert';

const PATTERN = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;
const DAYS_OF_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const MINUTE_MS = 60_000;
/** Four digits, and none of the years that Date.UTC reads as 1900 to 1999. */
const [FIRST_YEAR, LAST_YEAR] = [100, 9999];

/**
 * Strict text → milliseconds since 1970, the fraction truncated to milliseconds; null for anything else. Only real dates and times: no
 * 30 February, no hour 24. A leap second (`:60` at the end of 30 June or 31 December UTC) becomes the following second, as clocks count it.
 * In UTC, too, the year has to be one of 0100 to 9999: responses could not contain another.
 */
export function parseRfc3339(text: string): number | null {
  const match = PATTERN.exec(text);
  if (match === null) return null;
  const [, year = '', month = '', day = '', hour = '', minute = '', second = '', fraction = '000', sign] = match;
  const seconds = Number(second);
  if (
    Number(hour) > 23 ||
    Number(minute) > 59 ||
    seconds > 60 ||
    !isRealDay(Number(year), Number(month), Number(day))
  ) {
    return null;
  }
  const local =
    Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), seconds) +
    Number(fraction.slice(0, 3).padEnd(3, '0'));
  const offset = sign === undefined ? 0 : offsetMinutes(sign, Number(match[9]), Number(match[10]));
  if (offset === null) return null;
  const at = local - offset * MINUTE_MS;
  const yearInUtc = new Date(at).getUTCFullYear();
  if (yearInUtc < FIRST_YEAR || yearInUtc > LAST_YEAR) return null;
  return seconds === 60 && !followsLeapSecond(at) ? null : at;
}

const OFFSET_WITHOUT_COLON = /[+-]\d{4}$/;

/** Like `parseRfc3339`, and with an offset without colon, as programs write it that follow ISO 8601: `2026-11-20T17:03:11+0000`. */
export function parseInstant(text: string): number | null {
  const at = parseRfc3339(text);
  if (at !== null || !OFFSET_WITHOUT_COLON.test(text)) return at;
  return parseRfc3339(`${text.slice(0, -2)}:${text.slice(-2)}`);
}

/** Parses a text that request validation has accepted. */
export function instantOf(text: string): Date {
  const at = parseRfc3339(text);
  assert(at !== null, 'an instant was not validated before it was parsed');
  return new Date(at);
}

function isRealDay(year: number, month: number, day: number): boolean {
  if (year < FIRST_YEAR || month < 1 || month > 12 || day < 1) return false;
  const isLeapDay = month === 2 && day === 29 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return isLeapDay || day <= (DAYS_OF_MONTH[month - 1] ?? 0);
}

function offsetMinutes(sign: string, hours: number, minutes: number): number | null {
  if (hours > 23 || minutes > 59) return null;
  return (sign === '-' ? -1 : 1) * (hours * 60 + minutes);
}

function followsLeapSecond(at: number): boolean {
  const monthAndTime = new Date(at).toISOString().slice(5, 19);
  return monthAndTime === '07-01T00:00:00' || monthAndTime === '01-01T00:00:00';
}
