// Reads the own fields of a vertical from a submission, and selects those that buyers get (contract 3.1, 3.3).
import type { Members } from '../base/json.ts';
import { plainText } from '../base/text.ts';
import type { FieldType } from '../marketplace/vertical.schema.ts';
import type { OwnField, Vertical } from '../marketplace/verticals.ts';
import { isEmail } from '../platform/contact/email.rules.ts';
import { invalidError, requiredError } from './field-errors.rules.ts';
import type { LeadFields, OwnFields, OwnValue } from './lead-fields.ts';
import {
  isGiven,
  readBoolean,
  readNumeric,
  readParsed,
  readPhoneNumber,
  readText,
  readUrl,
  TEXT_LENGTH_MAX,
  type Reading,
} from './lead-text.rules.ts';
import { readChoice, readDay, readInstant, readInteger, readMoney, readNumber, readZip } from './own-values.rules.ts';

/** In the order of the vertical's fields; a field without a value has none. `errors` name fields, never values. */
export function readOwnFields(
  { fields }: Pick<Vertical, 'fields'>,
  body: Members,
): { readonly own: OwnFields; readonly errors: readonly string[] } & Pick<Reading, 'further'> {
  const reading: Reading = { body, errors: [] };
  const own: Record<string, OwnValue> = {};
  for (const field of fields) {
    const value = isGiven(reading, field.name) ? READERS[field.type](reading, field) : null;
    if (value !== null) own[field.name] = ownValue(field, value);
    else if (field.required && !isGiven(reading, field.name)) reading.errors.push(requiredError(field.name));
  }
  const { errors, further } = reading;
  return further === undefined ? { own, errors } : { own, errors, further };
}

/** What a stored lead must know by itself, because the field may be renamed, changed or removed while the lead waits. */
function ownValue({ name, type, label, delivered, personal }: OwnField, value: OwnValue['value']): OwnValue {
  return {
    type,
    value,
    ...(label === name ? {} : { label }),
    ...(delivered ? {} : { hidden: true }),
    ...(personal ? { personal: true } : {}),
  };
}

/** The own fields that a buyer gets, by name; null for a lead whose vertical has none. */
export function deliveredOwn({ own }: Pick<LeadFields, 'own'>): Record<string, OwnValue['value']> | null {
  if (own === undefined) return null;
  const delivered: Record<string, OwnValue['value']> = {};
  for (const [name, { value, hidden }] of Object.entries(own)) if (hidden !== true) delivered[name] = value;
  return delivered;
}

type Reader = (reading: Reading, field: OwnField) => OwnValue['value'] | null;

const READERS: Readonly<Record<FieldType, Reader>> = {
  text: readBoundedText,
  integer: (reading, field) => within(reading, field, readNumeric(reading, field.name, readInteger)),
  number: (reading, field) => within(reading, field, readNumeric(reading, field.name, readNumber)),
  money: (reading, field) => within(reading, field, readNumeric(reading, field.name, readMoney)),
  boolean: (reading, { name }) => readBoolean(reading, name),
  date: (reading, field) => within(reading, field, readParsed(reading, field.name, readDay)),
  datetime: (reading, field) => within(reading, field, readParsed(reading, field.name, readInstant)),
  enum: (reading, field) => readParsed(reading, field.name, (text) => readChoice(text, field)),
  url: (reading, { name }) => readUrl(reading, name),
  zip: (reading, { name }) => readParsed(reading, name, readZip),
  email: (reading, { name }) =>
    readParsed(reading, name, (text) => (isEmail(text) ? text : null), { plain: plainText }),
  phone: (reading, { name }) => readPhoneNumber(reading, name),
};

function readBoundedText(reading: Reading, { name, minLength, maxLength }: OwnField): string | null {
  const text = readText(reading, name, maxLength ?? TEXT_LENGTH_MAX);
  if (text === null || minLength === null || text.length >= 2 * minLength || [...text].length >= minLength) return text;
  reading.errors.push(invalidError(name));
  return null;
}

/** Bounds and values have one form, and in it days and instants are in the order of their texts. */
function within<Value extends number | string>(
  reading: Reading,
  { name, min, max }: OwnField,
  value: Value | null,
): Value | null {
  if (value === null || ((min === null || value >= min) && (max === null || value <= max))) return value;
  reading.errors.push(invalidError(name));
  return null;
}
