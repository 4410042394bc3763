// Formats dates and times of a lead for templates, in any time zone (contract 13.1).

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;

/** Text in brackets is taken as it is. */
const TOKENS = /\[([^\]]*)\]|YYYY|YY|MMMM|MMM|MM|M|DD|D|dddd|ddd|HH|H|hh|h|mm|m|ss|s|SSS|A|a|ZZ|Z|X|x/g;

const MINUTE_MS = 60_000;

/**
 * For the text of an instant, or of a day without a time, which no time zone moves. Any other text stays as it is. `iso`, `unix` and `unix_ms`
 * are whole formats.
 */
export function dateFormatter(format: string, timeZone: string): (text: string) => string | number {
  const zoned = partsFormat(timeZone);
  const plain = timeZone === 'UTC' ? zoned : partsFormat('UTC');
  return (text) => {
    const isDay = DAY.test(text);
    if (!isDay && !INSTANT.test(text)) return text;
    const at = new Date(isDay ? `${text}T00:00:00.000Z` : text);
    if (Number.isNaN(at.getTime())) return text;
    if (format === 'iso') return at.toISOString();
    if (format === 'unix') return Math.floor(at.getTime() / 1000);
    if (format === 'unix_ms') return at.getTime();
    const values = tokenValues(at, isDay ? plain : zoned);
    return format.replaceAll(TOKENS, (token: string, literal: string | undefined) => literal ?? values(token));
  };
}

function partsFormat(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'long',
    day: '2-digit',
    weekday: 'long',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
}

const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];

function tokenValues(at: Date, zoned: Intl.DateTimeFormat): (token: string) => string {
  const parts = new Map(zoned.formatToParts(at).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '';
  const month = MONTHS.indexOf(part('month')) + 1;
  const hour = Number(part('hour'));
  const two = (number: number): string => String(number).padStart(2, '0');
  const values: Readonly<Record<string, () => string>> = {
    YYYY: () => part('year').padStart(4, '0'),
    YY: () => part('year').slice(-2).padStart(2, '0'),
    MMMM: () => part('month'),
    MMM: () => part('month').slice(0, 3),
    MM: () => two(month),
    M: () => String(month),
    DD: () => part('day'),
    D: () => String(Number(part('day'))),
    dddd: () => part('weekday'),
    ddd: () => part('weekday').slice(0, 3),
    HH: () => two(hour),
    H: () => String(hour),
    hh: () => two(hour % 12 === 0 ? 12 : hour % 12),
    h: () => String(hour % 12 === 0 ? 12 : hour % 12),
    mm: () => part('minute'),
    m: () => String(Number(part('minute'))),
    ss: () => part('second'),
    s: () => String(Number(part('second'))),
    SSS: () => String(at.getUTCMilliseconds()).padStart(3, '0'),
    A: () => (hour < 12 ? 'AM' : 'PM'),
    a: () => (hour < 12 ? 'am' : 'pm'),
    ZZ: () => offsetText(zoned, at).replace(':', ''),
    Z: () => offsetText(zoned, at),
    X: () => String(Math.floor(at.getTime() / 1000)),
    x: () => String(at.getTime()),
  };
  return (token) => values[token]?.() ?? token;
}

/** `-08:00` */
function offsetText(zoned: Intl.DateTimeFormat, at: Date): string {
  const part = new Map(zoned.formatToParts(at).map(({ type, value }) => [type, value]));
  const local = Date.UTC(
    Number(part.get('year')),
    MONTHS.indexOf(part.get('month') ?? ''),
    Number(part.get('day')),
    Number(part.get('hour')),
    Number(part.get('minute')),
  );
  const minutes = Math.round((local - at.getTime()) / MINUTE_MS);
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
}
