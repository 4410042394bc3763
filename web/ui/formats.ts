// Formats numbers, money, phone numbers and times for display. Pure; the time zone is always a parameter.

const LOCALE = 'en-US';
const numbers = new Intl.NumberFormat(LOCALE);
const percents = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 1 });
const moneyFormats = new Map<string, Intl.NumberFormat>();
const timeFormats = new Map<string, Intl.DateTimeFormat>();

/** 12,345 */
export function formatNumber(value: number): string {
  return numbers.format(known(value));
}

/**
 * Throws for a number that a response lacks, because a process of another release sent it: the error boundary then tries again, where NaN would
 * stay on the page.
 */
function known(value: number): number {
  return value.valueOf();
}

/** 61.5 KiB */
export function formatBytes(bytes: number): string {
  return bytes < 1024 ? `${bytes} bytes` : `${numbers.format(Math.round(bytes / 102.4) / 10)} KiB`;
}

/** A share from 0 to 1 as 12.5% */
export function formatShare(share: number): string {
  return percents.format(known(share));
}

/** An amount in currency units, as in the API: $1,234.50 */
export function formatMoney(amount: number, currency: string): string {
  let format = moneyFormats.get(currency);
  if (format === undefined) {
    format = new Intl.NumberFormat(LOCALE, { style: 'currency', currency });
    moneyFormats.set(currency, format);
  }
  return format.format(known(amount));
}

function timeFormat(zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const name = `${zone} ${JSON.stringify(options)}`;
  let format = timeFormats.get(name);
  if (format === undefined) {
    format = new Intl.DateTimeFormat(LOCALE, { ...options, timeZone: zone });
    timeFormats.set(name, format);
  }
  return format;
}

/** Nov 21, 2026, 3:04:05 PM PST */
export function formatTime(at: string | Date, zone: string): string {
  return timeFormat(zone, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  }).format(new Date(at));
}

/** Nov 21, 3:04 PM: for lists whose page names the zone. */
export function formatShortTime(at: string | Date, zone: string): string {
  return timeFormat(zone, { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' }).format(new Date(at));
}

/** Nov 21, 2026 */
export function formatDay(at: string | Date, zone: string): string {
  return timeFormat(zone, { year: 'numeric', month: 'short', day: 'numeric' }).format(new Date(at));
}

/** A calendar day such as 2026-11-21, without a zone: Nov 21, 2026 */
export function formatDate(day: string): string {
  return formatDay(`${day}T12:00:00Z`, 'UTC');
}

/** The month of a calendar day: Nov 2026 */
export function formatMonth(day: string): string {
  return timeFormat('UTC', { year: 'numeric', month: 'short' }).format(new Date(`${day}T12:00:00Z`));
}

/** `PST`, or `UTC`: the zone's short name at that time. */
export function zoneName(zone: string, at: Date): string {
  const part = timeFormat(zone, { timeZoneName: 'short' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName');
  return part?.value ?? zone;
}

const UNITS: ReadonlyArray<readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number]> = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];
const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' });

/** 5 minutes ago, in 2 days */
export function formatAgo(at: string | Date, now: Date): string {
  const seconds = Math.round((new Date(at).getTime() - now.getTime()) / 1000);
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return relative.format(Math.trunc(seconds / size), unit);
}

/** A span in milliseconds: 850 ms, 4.2 s, 3 min, 5 h, 2 d */
export function formatSpan(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`;
  if (seconds < 86_400 * 2) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}

/** +1 713 555 0188 for a North American number, else as stored (E.164). */
export function formatPhone(phone: string): string {
  const parts = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(phone);
  return parts === null ? phone : `+1 ${parts[1]} ${parts[2]} ${parts[3]}`;
}

/** `1 lead`, `2 leads` */
export function count(value: number, one: string, many = `${one}s`): string {
  return `${formatNumber(value)} ${value === 1 ? one : many}`;
}
