// The named transforms of a field mapping, applied to incoming values before the lead is validated (contract 3.7).
import ipaddr from 'ipaddr.js';
import {
  compileDateFormat,
  dayOfWritten,
  instantOfWritten,
  type ReadDate,
  readCommonDate,
} from '../base/read-date.rules.ts';
import { regionCode } from '../base/regions.ts';
import { plainNumber, plainText } from '../base/text.ts';
import { isTimeZone, storedTimeZone } from '../base/time-zone.rules.ts';
import { readNorthAmerican } from '../platform/contact/written-phone.rules.ts';

/** A transform returns a value that it cannot read unchanged, so that the lead's validation reports the field. */
export type Transform = (value: unknown) => unknown;

/** What the transforms of times and days go by. */
export type TransformOptions = {
  /** As in templates: `MM/DD/YYYY h:mm A`. Without one a text begins with the year, month and day. */
  readonly format?: string;
  /** Of times that name no offset; UTC by default. */
  readonly timeZone?: string;
};

// The last instant whose ISO form has a year of four digits.
const LAST_INSTANT_MS = 253_402_300_799_999;

// Thousands in groups of three under one separator, or no separator at all.
const MONEY_TEXT =
  /^(?:USD|US\$|\$)?\s*((?:\d{1,3}(?:([, '\u00a0\u202f])\d{3}(?:\2\d{3})*)|\d{1,9})(?:\.\d{1,2})?)\s*(?:USD|\$)?$/i;
const AMOUNT = /^\d{1,9}(?:\.\d{1,2})?$/;

export const transforms = {
  /** Text without the white space around it. */
  trim: (value) => (typeof value === 'string' ? value.trim() : value),

  /** Text in upper case. */
  upper: (value) => (typeof value === 'string' ? value.toUpperCase() : value),

  /** Text in lower case. */
  lower: (value) => (typeof value === 'string' ? value.toLowerCase() : value),

  /** The ASCII digits of a text or whole number, as text; a text without digits is unchanged. */
  digits: (value) => digitsOf(value) || value,

  /**
   * `(555) 555-0123`, `1-555-555-0123`, 5555550123 → `+15555550123`; `555-555-0123 x4` → `+15555550123;ext=4`. A number of another country is
   * unchanged.
   */
  us_phone(value) {
    const read = readNorthAmerican(typeof value === 'string' ? value : digitsOf(value));
    if (read === null) return value;
    return read.extension === null ? read.number : `${read.number};ext=${read.extension}`;
  },

  /** `california`, `Washington, D.C.`, `Québec`, `on` → `CA`, `DC`, `QC`, `ON`: full name or code of a region of the US or Canada. */
  state_name: (value) => (typeof value === 'string' ? (regionCode(value) ?? value) : value),

  /** `$12,345.67`, `12 345`, `USD 900`, 900.5 → `12345.67`, `12345`, `900`, `900.5`. Ranges, minus signs and decimal commas are unchanged. */
  money(value) {
    if (typeof value === 'number') return AMOUNT.test(String(value)) ? String(value) : value;
    if (typeof value !== 'string') return value;
    const amount = MONEY_TEXT.exec(value.trim())?.[1]?.replaceAll(/[, '\u00a0\u202f]/g, '');
    return amount !== undefined && AMOUNT.test(amount) ? amount : value;
  },

  /** Seconds since 1970, as a number or as digits → ISO 8601 UTC with milliseconds. */
  epoch_s: (value) => isoOfEpoch(value, 1000),

  /** Milliseconds since 1970, as a number or as digits → ISO 8601 UTC with milliseconds. */
  epoch_ms: (value) => isoOfEpoch(value, 1),

  /** `2026-11-20 17:03:11`, `2026-11-20T17:03Z`, `2026-11-20` → ISO 8601 UTC with milliseconds; in another format or zone by the options. */
  time: readTime(readCommonDate, 'UTC'),

  /** `2026-11-20T17:03:11` → `2026-11-20`, the day as written; in another format by the options. */
  date: readDay(readCommonDate),

  /** `"true"`, `"Yes"`, `"on"`, `"1"`, 1 → true; `"false"`, `"no"`, `"off"`, `"0"`, 0 → false. */
  boolean: (value) =>
    typeof value === 'string' ? (BOOLEANS.get(plainText(value).toLowerCase()) ?? value) : booleanOf(value),

  /** `10.0.0.1, 203.0.113.9:443` → `203.0.113.9`: the first address of a list that is not of a private network, without its port. */
  public_ip: (value) => (typeof value === 'string' ? (firstPublicAddress(plainText(value)) ?? value) : value),
} as const satisfies Record<string, Transform>;

export type TransformName = keyof typeof transforms;

/** Which transforms take which options. */
export const transformOptions: Readonly<Partial<Record<TransformName, ReadonlyArray<keyof TransformOptions>>>> = {
  time: ['format', 'timeZone'],
  date: ['format'],
};

/** A transform with its options, which must be checked ones. */
export function transformWith(name: TransformName, { format, timeZone = 'UTC' }: TransformOptions): Transform {
  if (name !== 'time' && name !== 'date') return transforms[name];
  const read = format === undefined ? readCommonDate : compileDateFormat(format);
  const zone = storedTimeZone(timeZone);
  // What another release accepted must not stop a supplier's leads: the value stays as it is.
  if (typeof read === 'string' || !isTimeZone(zone)) return (value) => value;
  return name === 'time' ? readTime(read, zone) : readDay(read);
}

function readTime(read: ReadDate, timeZone: string): Transform {
  return (value) => {
    const written = typeof value === 'string' ? read(plainNumber(value)) : null;
    if (written === null) return value;
    const at = instantOfWritten(written, timeZone);
    return at >= 0 && at <= LAST_INSTANT_MS ? new Date(at).toISOString() : value;
  };
}

function readDay(read: ReadDate): Transform {
  return (value) => {
    const written = typeof value === 'string' ? read(plainNumber(value)) : null;
    return written === null ? value : dayOfWritten(written);
  };
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...['true', 't', 'yes', 'y', 'on', '1', 'checked'].map((word) => [word, true] as const),
  ...['false', 'f', 'no', 'n', 'off', '0', 'unchecked'].map((word) => [word, false] as const),
]);

function booleanOf(value: unknown): unknown {
  return value === 1 || value === 0 ? value === 1 : value;
}

/** Networks inside of a company, a carrier or a machine. */
const INNER_RANGES: ReadonlySet<string> = new Set([
  ...['private', 'loopback', 'linkLocal', 'carrierGradeNat', 'unspecified', 'uniqueLocal', 'broadcast', 'multicast'],
]);
// As in X-Forwarded-For and Forwarded: an address, perhaps in brackets, with a port, or behind `for=`.
const LISTED = /^(?:for=)?"?(?:\[([0-9a-f:.]+)(?:%[\w.-]+)?\]|([0-9a-f:.]+?))(?::\d{1,5})?"?$/i;
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;

function firstPublicAddress(list: string): string | null {
  for (const entry of list.split(/[\s,;]+/)) {
    const match = LISTED.exec(entry);
    // A bare IPv6 address ends like one with a port.
    const text = match === null ? '' : (match[1] ?? (ipaddr.IPv6.isValid(entry) ? entry : (match[2] ?? '')));
    if (!(IPV4.test(text) || text.includes(':')) || !ipaddr.isValid(text)) continue;
    const address = ipaddr.process(text);
    if (!INNER_RANGES.has(address.range())) return address.kind() === 'ipv4' ? address.toString() : text;
  }
  return null;
}

export function isTransformName(name: unknown): name is TransformName {
  return typeof name === 'string' && Object.hasOwn(transforms, name);
}

function digitsOf(value: unknown): string {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? String(value) : '';
  return typeof value === 'string' ? value.replaceAll(/[^0-9]+/g, '') : '';
}

function isoOfEpoch(value: unknown, unitMs: number): unknown {
  const text = typeof value === 'string' ? value.trim() : null;
  const count = text === null ? value : /^\d{1,15}$/.test(text) ? Number(text) : null;
  if (typeof count !== 'number') return value;
  const at = Math.round(count * unitMs);
  return at >= 0 && at <= LAST_INSTANT_MS ? new Date(at).toISOString() : value;
}
