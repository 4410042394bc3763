// The named transforms of a field mapping, applied to incoming values before the lead is validated (contract 3.7).
import { regionCode } from '../base/regions.ts';
import { readNorthAmerican } from '../platform/contact/written-phone.rules.ts';

/** A transform returns a value that it cannot read unchanged, so that the lead's validation reports the field. */
export type Transform = (value: unknown) => unknown;

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
} as const satisfies Record<string, Transform>;

export type TransformName = keyof typeof transforms;

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
