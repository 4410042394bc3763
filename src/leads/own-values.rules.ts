// Reads the value of an own field of each type, from a submission or a filter, in the form that is stored and delivered (contract 3.3).
import { centsOfNumber, parseCents, wireAmount } from '../base/money.ts';
import { parseInstant } from '../base/rfc3339.ts';
import { startOfUtcDay } from '../base/time.ts';
import type { OwnField } from '../marketplace/verticals.ts';
import { isEmail } from '../platform/contact/email.rules.ts';
import { readPhone } from '../platform/contact/phone.rules.ts';

const WHOLE_NUMBER = /^-?\d{1,15}$/;
const DECIMAL = /^-?\d{1,15}(?:\.\d{1,10})?$/;
const DAY = /^(?:19|20|21)\d\d-\d\d-\d\d$/;
const US_ZIP = /^(\d{5})(?:-?(\d{4}))?$/;
const CANADIAN_CODE = /^([ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z])[ -]?(\d[ABCEGHJ-NPRSTV-Z]\d)$/i;

// Larger ones are typing errors, and JSON numbers lose digits soon after.
const NUMBER_MAX = 1e15;
const EARLIEST_MS = Date.UTC(1900, 0, 1);
const LATEST_MS = Date.UTC(2200, 0, 1) - 1;

/** A whole number, as a JSON number or as text. */
export function readInteger(value: number | string): number | null {
  const number = numberOf(value, WHOLE_NUMBER);
  return number !== null && Number.isSafeInteger(number) && Math.abs(number) < NUMBER_MAX ? number : null;
}

/** A number, as a JSON number or as text with at most ten decimals. */
export function readNumber(value: number | string): number | null {
  const number = numberOf(value, DECIMAL);
  return number !== null && Math.abs(number) < NUMBER_MAX ? number : null;
}

function numberOf(value: number | string, form: RegExp): number | null {
  const number = typeof value === 'number' ? value : form.test(value) ? Number(value) : NaN;
  // Adding 0 turns JSON's -0 into 0.
  return Number.isFinite(number) ? number + 0 : null;
}

/** An amount of at least 0 with at most two decimals, as a JSON number or as text. */
export function readMoney(value: number | string): number | null {
  const cents = typeof value === 'number' ? centsOfNumber(value) : parseCents(value);
  return cents === null || cents < 0 ? null : wireAmount(cents + 0);
}

/** `YYYY-MM-DD`, a real day from 1900 to 2199. */
export function readDay(text: string): string | null {
  return DAY.test(text) && startOfUtcDay(text) !== null ? text : null;
}

/** RFC 3339 with seconds and offset, with or without its colon, from 1900 to 2199 → ISO 8601 UTC with milliseconds. */
export function readInstant(text: string): string | null {
  const at = parseInstant(text);
  return at === null || at < EARLIEST_MS || at > LATEST_MS ? null : new Date(at).toISOString();
}

/** A US ZIP code of five or nine digits, or a Canadian postal code → `12345`, `12345-6789`, `K1A 0B1`. */
export function readZip(text: string): string | null {
  const us = US_ZIP.exec(text);
  if (us !== null) return us[2] === undefined ? text : `${us[1]}-${us[2]}`;
  const canadian = CANADIAN_CODE.exec(text);
  return canadian === null ? null : `${canadian[1]} ${canadian[2]}`.toUpperCase();
}

const spellings = new WeakMap<readonly string[], ReadonlyMap<string, string>>();

/** One of the field's values in any case → as the field spells it. */
export function readChoice(text: string, { values }: Pick<OwnField, 'values'>): string | null {
  let spelling = spellings.get(values);
  if (spelling === undefined) {
    spelling = new Map(values.map((value) => [value.toLowerCase(), value]));
    spellings.set(values, spelling);
  }
  return spelling.get(text.toLowerCase()) ?? null;
}

/** The value of a filter or a bound of the field; null if it is none. A text is taken as it is. */
export function readComparable(
  field: Pick<OwnField, 'type' | 'values'>,
  value: number | string,
): number | string | null {
  const { type } = field;
  if (type === 'integer' || type === 'number' || type === 'money') {
    if (typeof value !== 'number') return null;
    return type === 'integer' ? readInteger(value) : type === 'number' ? readNumber(value) : readMoney(value);
  }
  if (typeof value !== 'string') return null;
  if (type === 'date') return readDay(value);
  if (type === 'datetime') return readInstant(value);
  if (type === 'enum') return readChoice(value, field);
  if (type === 'zip') return readZip(value);
  if (type === 'phone') return readPhone(value);
  if (type === 'email') return isEmail(value) ? value : null;
  return value;
}
