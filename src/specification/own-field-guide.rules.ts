// Describes an own field of a vertical to the developer of a supplier, like the standard fields (contract 14.5).
import { TEXT_LENGTH_MAX, URL_LENGTH_MAX } from '../leads/lead-text.rules.ts';
import type { FieldType } from '../marketplace/vertical.schema.ts';
import type { OwnField } from '../marketplace/verticals.ts';

export type OwnFieldGuide = {
  readonly meaning: string;
  readonly type: string;
  /** Null if any text is valid. */
  readonly format: string | null;
  /** In characters; null if it is not a text. */
  readonly lengthMax: number | null;
};

const TYPES: Readonly<Record<FieldType, string>> = {
  text: 'text',
  integer: 'whole number',
  number: 'number',
  money: 'amount',
  boolean: 'true or false',
  date: 'date',
  datetime: 'time',
  enum: 'one of a list',
  url: 'URL',
  zip: 'postal code',
  email: 'email address',
  phone: 'phone number',
};

const FORMATS: Readonly<Record<FieldType, string | null>> = {
  text: null,
  integer: 'Send a whole number, or text with its digits.',
  number: 'Send a number, or text with digits, a point and at most ten decimals.',
  money: 'Send digits only, with a point and one or two decimals at most: 180 or 180.50. No currency, no commas.',
  boolean: 'Send the JSON value true or false, without quotes.',
  date: 'Send a day as YYYY-MM-DD.',
  datetime: 'Send date, time with seconds, and Z or an offset: 2026-11-20T17:03:11Z.',
  enum: null,
  url: 'Send a whole URL that begins with http:// or https://, without spaces or backslashes.',
  zip: 'Send a US ZIP code of five or nine digits, or a Canadian postal code.',
  email: 'Send one address in plain ASCII, such as name@example.com.',
  phone: 'Send + and the country code, then 7 to 15 digits in all, such as +15555550123.',
};

export function describeOwnField(field: OwnField): OwnFieldGuide {
  const { label, type, required } = field;
  const format = [FORMATS[type] ?? [], valuesOf(field), boundsOf(field)].flat();
  return {
    meaning: `${label}.${required ? ' Every lead needs it.' : ''}`,
    type: TYPES[type],
    format: format.length === 0 ? null : format.join(' '),
    lengthMax: lengthOf(field),
  };
}

function valuesOf({ type, values }: OwnField): string[] {
  return type === 'enum' ? [`Send one of these, in any case: ${values.join(', ')}.`] : [];
}

function boundsOf({ min, max, minLength }: OwnField): string[] {
  return [
    ...(min === null ? [] : [`At least ${min}.`]),
    ...(max === null ? [] : [`At most ${max}.`]),
    ...(minLength === null ? [] : [`At least ${minLength} characters.`]),
  ];
}

function lengthOf({ type, maxLength }: OwnField): number | null {
  if (type === 'boolean') return null;
  if (type === 'url') return URL_LENGTH_MAX;
  return type === 'text' ? (maxLength ?? TEXT_LENGTH_MAX) : TEXT_LENGTH_MAX;
}
