// Parses a `Retry-After` header (RFC 9110, 10.2.3; contract 4.10).

/** The longest delay that a partner can ask for, in seconds (contract 4.10: at most 24 h). */
const LONGEST_WAIT = 86_400;

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;
const DAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const LONG_DAY = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day';
const MONTH = `(?<month>${MONTHS.join('|')})`;
const TIME = String.raw`(?<hour>\d{2}):(?<minute>\d{2}):(?<second>\d{2})`;

/** The three date formats of HTTP: today's, that of RFC 850, and that of C's asctime. */
const DATES = [
  new RegExp(String.raw`^${DAY}, (?<day>\d{2}) ${MONTH} (?<year>\d{4}) ${TIME} GMT$`),
  new RegExp(String.raw`^${LONG_DAY}, (?<day>\d{2})-${MONTH}-(?<year>\d{2}) ${TIME} GMT$`),
  new RegExp(String.raw`^${DAY} ${MONTH} (?<day>[ \d]\d) ${TIME} (?<year>\d{4})$`),
];

/** The header's value → whole seconds to wait, 0 to 86,400; null when it is missing or unreadable. */
export function retryAfterSeconds(header: string | null, now: Date): number | null {
  const text = header?.trim() ?? '';
  if (/^-?\d+$/.test(text)) return bounded(Number(text));
  const at = parseHttpDate(text, now);
  return at === null ? null : bounded(Math.ceil((at - now.getTime()) / 1000));
}

function bounded(seconds: number): number {
  return Math.min(Math.max(seconds, 0), LONGEST_WAIT);
}

/** Milliseconds since 1970, or null. The weekday is not compared with the date. */
function parseHttpDate(text: string, now: Date): number | null {
  const groups = DATES.map((pattern) => pattern.exec(text)?.groups).find((found) => found !== undefined);
  if (groups === undefined) return null;
  const part = (name: string): number => Number(groups[name]);
  const month = MONTHS.findIndex((name) => name === groups['month']);
  const year = groups['year']?.length === 2 ? fullYear(part('year'), now) : part('year');
  const [day, hour, minute, second] = [part('day'), part('hour'), part('minute'), part('second')];
  // 60 is a leap second.
  if (hour > 23 || minute > 59 || second > 60) return null;
  const date = new Date(Date.UTC(year, month, day));
  // Date.UTC turns 30 February into a day in March, and day 0 into one in the previous month.
  if (date.getUTCMonth() !== month) return null;
  return Date.UTC(year, month, day, hour, minute, second);
}

/** Two digits mean a year of this century unless it is more than 50 years ahead (RFC 9110, 5.6.7). */
function fullYear(twoDigits: number, now: Date): number {
  const thisYear = now.getUTCFullYear();
  const year = Math.floor(thisYear / 100) * 100 + twoDigits;
  return year > thisYear + 50 ? year - 100 : year;
}
