// Formats dates and times, in any time zone (contract 13.1).
import { DATE_TOKENS, MONTHS } from './date-tokens.ts';

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;

const MINUTE_MS = 60_000;
const QUARTER_MS = 15 * MINUTE_MS;

/**
 * For the text of an instant, or of a day without a time, which no time zone moves. Any other text stays as it is. `iso`, `unix` and `unix_ms`
 * are whole formats.
 */
export function dateFormatter(format: string, timeZone: string): (text: string) => string | number {
  const offsetAt = timeZone === 'UTC' ? () => 0 : zoneOffsets(timeZone);
  return (text) => {
    const isDay = DAY.test(text);
    if (!isDay && !INSTANT.test(text)) return text;
    const at = new Date(isDay ? `${text}T00:00:00.000Z` : text);
    if (Number.isNaN(at.getTime())) return text;
    if (format === 'iso') return at.toISOString();
    if (format === 'unix') return Math.floor(at.getTime() / 1000);
    if (format === 'unix_ms') return at.getTime();
    const offset = isDay ? 0 : offsetAt(at);
    return format.replaceAll(
      DATE_TOKENS,
      (token: string, literal: string | undefined) => literal ?? valueOf(token, at, offset),
    );
  };
}

/** The offset in minutes; zones change theirs only at a quarter of an hour, and most leads come within the same one. */
function zoneOffsets(timeZone: string): (at: Date) => number {
  const names = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  let last = { quarter: NaN, offset: 0 };
  return (at) => {
    const quarter = Math.floor(at.getTime() / QUARTER_MS);
    if (quarter !== last.quarter) last = { quarter, offset: readOffset(names, at) };
    return last.offset;
  };
}

/** Of `GMT-05:00`, or `GMT` for none; the seconds that zones had before 1972 are left out. */
function readOffset(names: Intl.DateTimeFormat, at: Date): number {
  const name = names.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign = '+', hours = '0', minutes = '0'] = /([+-])(\d{1,2}):?(\d{2})?/.exec(name) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

const two = (number: number): string => String(number).padStart(2, '0');
const twelve = (local: Date): number => (local.getUTCHours() % 12 === 0 ? 12 : local.getUTCHours() % 12);
const month = (local: Date): string => MONTHS[local.getUTCMonth()] ?? '';
const weekday = (local: Date): string => WEEKDAYS[local.getUTCDay()] ?? '';

/** `local` has the zone's time as its UTC time. */
const VALUES: Readonly<Record<string, (local: Date) => string>> = {
  YYYY: (local) => String(local.getUTCFullYear()).padStart(4, '0'),
  YY: (local) => two(local.getUTCFullYear() % 100),
  MMMM: month,
  MMM: (local) => month(local).slice(0, 3),
  MM: (local) => two(local.getUTCMonth() + 1),
  M: (local) => String(local.getUTCMonth() + 1),
  DD: (local) => two(local.getUTCDate()),
  D: (local) => String(local.getUTCDate()),
  dddd: weekday,
  ddd: (local) => weekday(local).slice(0, 3),
  HH: (local) => two(local.getUTCHours()),
  H: (local) => String(local.getUTCHours()),
  hh: (local) => two(twelve(local)),
  h: (local) => String(twelve(local)),
  mm: (local) => two(local.getUTCMinutes()),
  m: (local) => String(local.getUTCMinutes()),
  ss: (local) => two(local.getUTCSeconds()),
  s: (local) => String(local.getUTCSeconds()),
  SSS: (local) => String(local.getUTCMilliseconds()).padStart(3, '0'),
  A: (local) => (local.getUTCHours() < 12 ? 'AM' : 'PM'),
  a: (local) => (local.getUTCHours() < 12 ? 'am' : 'pm'),
};

function valueOf(token: string, at: Date, offset: number): string {
  if (token === 'X') return String(Math.floor(at.getTime() / 1000));
  if (token === 'x') return String(at.getTime());
  if (token === 'Z') return offsetText(offset, ':');
  if (token === 'ZZ') return offsetText(offset, '');
  return VALUES[token]?.(new Date(at.getTime() + offset * MINUTE_MS)) ?? token;
}

/** `-08:00` */
function offsetText(offset: number, separator: string): string {
  const minutes = Math.abs(offset);
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}${separator}${two(minutes % 60)}`;
}
