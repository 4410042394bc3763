// Reads days and times as people, forms and databases write them: by a format, or in the common spellings that begin with the year (contract 3.7).
import { DATE_TOKENS, MONTHS } from './date-tokens.ts';
import { Temporal } from './temporal.ts';

/** A day and a time of day as written. */
type Written = {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond: number;
  /** Null if the text names no offset. */
  readonly offsetMinutes: number | null;
};

/** Null for a text that is not written so. An instant in milliseconds is complete by itself. */
export type ReadDate = (text: string) => Written | { readonly at: number } | null;

type Values = Record<string, string>;
type TokenReader = { readonly pattern: string; readonly as: string; readonly isNumber?: true };

const number = (pattern: string, as: string): TokenReader => ({ pattern, as, isNumber: true });
const OFFSET = String.raw`Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?`;

const TOKENS: Readonly<Record<string, TokenReader>> = {
  YYYY: number(String.raw`\d{4}`, 'year'),
  YY: number(String.raw`\d{2}`, 'shortYear'),
  MMMM: { pattern: '[A-Za-z]+', as: 'monthName' },
  MMM: { pattern: '[A-Za-z]+', as: 'monthName' },
  MM: number(String.raw`\d{2}`, 'month'),
  M: number(String.raw`\d{1,2}`, 'month'),
  DD: number(String.raw`\d{2}`, 'day'),
  D: number(String.raw`\d{1,2}`, 'day'),
  dddd: { pattern: '[A-Za-z]+', as: 'weekday' },
  ddd: { pattern: '[A-Za-z]+', as: 'weekday' },
  HH: number(String.raw`\d{2}`, 'hour'),
  H: number(String.raw`\d{1,2}`, 'hour'),
  hh: number(String.raw`\d{2}`, 'halfHour'),
  h: number(String.raw`\d{1,2}`, 'halfHour'),
  mm: number(String.raw`\d{2}`, 'minute'),
  m: number(String.raw`\d{1,2}`, 'minute'),
  ss: number(String.raw`\d{2}`, 'second'),
  s: number(String.raw`\d{1,2}`, 'second'),
  SSS: number(String.raw`\d{1,9}`, 'fraction'),
  A: { pattern: String.raw`[AaPp]\.?[Mm]\.?`, as: 'half' },
  a: { pattern: String.raw`[AaPp]\.?[Mm]\.?`, as: 'half' },
  Z: { pattern: OFFSET, as: 'offset' },
  ZZ: { pattern: OFFSET, as: 'offset' },
  X: number(String.raw`\d{1,12}(?:\.\d{1,9})?`, 'seconds'),
  x: number(String.raw`\d{1,15}`, 'milliseconds'),
};

/** In a format, two digits may be written as one where no digit stands beside them. */
const OF_TWO_DIGITS = String.raw`\d{2}`;

/** The function for a format, or the message of what is wrong with it. */
export function compileDateFormat(format: string): ReadDate | string {
  const names: string[] = [];
  let pattern = '';
  let last = 0;
  let isAfterNumber = false;
  const pieces = [...format.matchAll(DATE_TOKENS)];
  for (const [at, piece] of pieces.entries()) {
    const before = format.slice(last, piece.index);
    pattern += literal(before);
    last = piece.index + piece[0].length;
    const reader = TOKENS[piece[0]];
    if (reader === undefined) {
      pattern += literal(piece[1] ?? '');
      isAfterNumber = false;
      continue;
    }
    if (names.includes(reader.as)) return `names ${nameOf(reader.as)} twice`;
    names.push(reader.as);
    const next = pieces[at + 1];
    const isBeforeNumber = next?.index === last && TOKENS[next[0]]?.isNumber === true;
    const isAlone = !isBeforeNumber && !(before === '' && isAfterNumber);
    pattern += `(${reader.pattern === OF_TWO_DIGITS && reader.as !== 'shortYear' && isAlone ? String.raw`\d{1,2}` : reader.pattern})`;
    isAfterNumber = reader.isNumber === true;
  }
  pattern += literal(format.slice(last));
  const has = (...some: readonly string[]): boolean => some.some((name) => names.includes(name));
  if (!has('seconds', 'milliseconds')) {
    if (!has('year', 'shortYear')) return 'has no year: YYYY';
    if (!has('month', 'monthName')) return 'has no month: MM';
    if (!has('day')) return 'has no day: DD';
    if (has('halfHour') && !has('half'))
      return 'has hours of a half day without A for AM and PM; HH are hours up to 23';
  }
  const whole = new RegExp(`^${pattern}$`, 'i');
  return (text) => {
    const match = whole.exec(text.trim());
    return match === null ? null : written(Object.fromEntries(names.map((name, at) => [name, match[at + 1] ?? ''])));
  };
}

function nameOf(part: string): string {
  return (
    { halfHour: 'the hour', shortYear: 'the year', monthName: 'the month', half: 'AM and PM' }[part] ?? `the ${part}`
  );
}

function literal(text: string): string {
  return text.replaceAll(/[\^$\\.*+?()[\]{}|/]/g, String.raw`\$&`).replaceAll(/\s+/g, String.raw`\s+`);
}

const COMMON = new RegExp(
  String.raw`^(\d{4})-(\d{2})-(\d{2})(?:(?:[T ]|\s+)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(${OFFSET})?$`,
  'i',
);

/** `2026-11-20 17:03:11`, `2026-11-20T17:03`, `2026-11-20 17:03:11.250 +0000`, `2026-11-20`: day and month cannot be mistaken. */
export const readCommonDate: ReadDate = (text) => {
  const match = COMMON.exec(text.trim());
  if (match === null) return null;
  const [, year = '', month = '', day = '', hour = '', minute = '', second = '', fraction = '', offset = ''] = match;
  return written({ year, month, day, hour, minute, second, fraction, offset });
};

const SHORT_YEAR_FROM = 70;

function written(values: Values): Written | { readonly at: number } | null {
  if (values['seconds'] !== undefined) return { at: Math.round(Number(values['seconds']) * 1000) };
  if (values['milliseconds'] !== undefined) return { at: Number(values['milliseconds']) };
  const value = (name: string): number => Number(values[name] ?? 0);
  const short = value('shortYear');
  const month = values['monthName'] === undefined ? value('month') : monthOf(values['monthName']);
  const hour = values['halfHour'] === undefined ? value('hour') : hourOf(value('halfHour'), values['half'] ?? '');
  const offsetMinutes = offsetOf(values['offset'] ?? '');
  const read: Written = {
    year: values['shortYear'] === undefined ? value('year') : short + (short < SHORT_YEAR_FROM ? 2000 : 1900),
    ...{ month, day: value('day'), hour, minute: value('minute'), second: value('second'), offsetMinutes },
    millisecond: Number((values['fraction'] ?? '').slice(0, 3).padEnd(3, '0')),
  };
  return isReal(read) ? read : null;
}

/** 0, which is no month, for another word. */
function monthOf(name: string): number {
  const lower = name.toLowerCase().replace(/^sept$/, 'sep');
  return 1 + MONTHS.findIndex((month) => [month.toLowerCase(), month.slice(0, 3).toLowerCase()].includes(lower));
}

/** An hour that is none for 0 and 13 of a half day. */
function hourOf(half: number, name: string): number {
  if (half < 1 || half > 12) return NaN;
  return (half % 12) + (/^p/i.test(name) ? 12 : 0);
}

function offsetOf(text: string): number | null {
  const match = /^([+-])(\d{2}):?(\d{2})?$/.exec(text);
  if (match === null) return text === '' ? null : 0;
  const [, sign, hours = '', minutes = '0'] = match;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

const MOST_OFFSET_MINUTES = 18 * 60;

function isReal({ year, month, day, hour, minute, second, offsetMinutes }: Written): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  // The calendar takes 30 February for 2 March.
  const isDay = year >= 1000 && date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && day > 0;
  const isTime = hour >= 0 && hour <= 23 && minute <= 59 && second <= 59;
  return isDay && date.getUTCDate() === day && isTime && Math.abs(offsetMinutes ?? 0) <= MOST_OFFSET_MINUTES;
}

/**
 * The instant, in milliseconds, of a time as written; the zone counts if it names no offset. A time that a change of clocks skips is that much
 * later, and of one that occurs twice the first is meant.
 */
export function instantOfWritten(read: NonNullable<ReturnType<ReadDate>>, timeZone: string): number {
  if ('at' in read) return read.at;
  const { offsetMinutes, ...local } = read;
  const { year, month, day, hour, minute, second, millisecond } = local;
  if (offsetMinutes === null && timeZone !== 'UTC') {
    return Temporal.PlainDateTime.from(local).toZonedDateTime(timeZone).epochMilliseconds;
  }
  return Date.UTC(year, month - 1, day, hour, minute, second, millisecond) - (offsetMinutes ?? 0) * 60_000;
}

/** The day as written, `YYYY-MM-DD`; of an instant the UTC day. */
export function dayOfWritten(read: NonNullable<ReturnType<ReadDate>>): string {
  const at = 'at' in read ? read.at : Date.UTC(read.year, read.month - 1, read.day);
  return new Date(at).toISOString().slice(0, 10);
}
