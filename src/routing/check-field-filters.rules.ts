// Checks the filters of an offer on own fields: their form, and whether they fit the fields of the offer's vertical (contract 4.3, 7.6).
import { isMembers } from '../base/json.ts';
import { readComparable } from '../leads/own-values.rules.ts';
import { type FieldType, OWN_FIELD_NAME } from '../marketplace/vertical.schema.ts';
import type { OwnField, Vertical } from '../marketplace/verticals.ts';
import type { Offer } from './offer.ts';

/** `at` is a JSON Pointer from the checked value. */
export type FilterFault = { readonly at: string; readonly message: string; readonly ofName?: boolean };

const NAME = new RegExp(OWN_FIELD_NAME);
const MEMBERS = ['in', 'notIn', 'min', 'max', 'is'] as const;
const VALUES_MAX = 10_000;
// As long as the longest value of a lead.
const LENGTH_MAX = 2048;

/** The filters as written, without the vertical: types of members and lists. */
export function checkFilterForm(filters: unknown): FilterFault[] {
  if (!isMembers(filters)) return [{ at: '', message: 'must be a map from the names of own fields to their filters' }];
  return Object.entries(filters).flatMap(([name, filter]): FilterFault[] => {
    const at = `/${escaped(name)}`;
    if (!NAME.test(name)) return [{ at, message: 'is not the name of a field', ofName: true }];
    if (!isMembers(filter)) return [{ at, message: `must be a map of ${MEMBERS.join(', ')}` }];
    return Object.entries(filter).flatMap(([member, value]) =>
      memberFaults(member, value).map((fault) => ({ ...fault, at: `${at}/${escaped(member)}${fault.at}` })),
    );
  });
}

/** For a JSON Pointer. */
function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function memberFaults(member: string, value: unknown): FilterFault[] {
  if (!MEMBERS.some((known) => known === member)) {
    return [{ at: '', message: `unknown member; there are ${MEMBERS.join(', ')}`, ofName: true }];
  }
  if (value === null || value === undefined) return [];
  if (member === 'is') return typeof value === 'boolean' ? [] : [{ at: '', message: 'must be true or false' }];
  if (member === 'min' || member === 'max') return isValue(value) ? [] : [{ at: '', message: BOUND }];
  if (!Array.isArray(value)) return [{ at: '', message: 'must be a list, such as [one, two]' }];
  if (value.length > VALUES_MAX) return [{ at: '', message: `must have at most ${VALUES_MAX} entries` }];
  const seen = new Set<unknown>();
  return value.flatMap((entry: unknown, index): FilterFault[] => {
    const at = `/${index}`;
    if (!isValue(entry)) return [{ at, message: 'must be a text or a number' }];
    if (seen.has(entry)) return [{ at, message: `names "${entry}" for the second time` }];
    seen.add(entry);
    return [];
  });
}

const BOUND = 'must be a number, a day such as "2026-01-31" or an instant such as "2026-01-31T12:00:00Z"';

function isValue(value: unknown): value is string | number {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value === 'string' && value.trim() !== '' && value.length <= LENGTH_MAX && !/\p{Cc}/u.test(value);
}

type Comparison = 'values' | 'bounds' | 'truth';

const COMPARISONS: Readonly<Record<FieldType, readonly Comparison[]>> = {
  text: ['values'],
  integer: ['values', 'bounds'],
  number: ['values', 'bounds'],
  money: ['values', 'bounds'],
  boolean: ['truth'],
  date: ['values', 'bounds'],
  datetime: ['bounds'],
  enum: ['values'],
  url: ['values'],
  zip: ['values'],
  email: ['values'],
  phone: ['values'],
};

const MEMBERS_OF: Readonly<Record<Comparison, readonly string[]>> = {
  values: ['in', 'notIn'],
  bounds: ['min', 'max'],
  truth: ['is'],
};

/** The vertical that the offer names and its filters on own fields, against the verticals; `at` is a JSON Pointer from the offer. */
export function checkOwnFilters(
  { vertical: key, filters }: Pick<Offer, 'vertical' | 'filters'>,
  verticals: ReadonlyMap<string, Vertical>,
): FilterFault[] {
  const vertical = key === null ? null : (verticals.get(key) ?? null);
  if (key !== null && vertical === null) return [{ at: '/vertical', message: unknownVertical(key, verticals) }];
  return Object.entries(filters.fields).flatMap(([name, filter]): FilterFault[] => {
    const at = `/filters/fields/${name}`;
    if (vertical === null) return [{ at, message: `"${name}" is no field, because the offer names no vertical` }];
    const field = vertical.fields.find((one) => one.name === name);
    if (field === undefined)
      return [{ at, message: `the vertical "${vertical.key}" has no field "${name}"`, ofName: true }];
    if (!field.filterable) {
      const message = `the field "${name}" of the vertical "${vertical.key}" is not filterable`;
      return [{ at, message, ofName: true }];
    }
    return filterFaults(field, filter).map((fault) => ({ ...fault, at: at + fault.at }));
  });
}

export function unknownVertical(key: string, verticals: ReadonlyMap<string, Vertical>): string {
  const known = [...verticals.keys()];
  return `there is no vertical "${key}"${known.length === 0 ? '' : `; there are ${known.join(', ')}`}`;
}

function filterFaults(field: OwnField, filter: Offer['filters']['fields'][string]): FilterFault[] {
  const members = COMPARISONS[field.type].flatMap((comparison) => MEMBERS_OF[comparison]);
  const outside = Object.keys(filter).filter((member) => !members.includes(member));
  if (outside.length > 0) {
    const message = `does not fit the field "${field.name}", which is of type ${field.type}: use ${members.join(', ')}`;
    return outside.map((member) => ({ at: `/${member}`, message }));
  }
  const { in: wanted = [], notIn = [], min, max } = filter;
  const faults = [
    ...wanted.flatMap((value) => valueFaults(field, value, '/in')),
    ...notIn.flatMap((value) => valueFaults(field, value, '/notIn')),
    ...(min === undefined ? [] : valueFaults(field, min, '/min')),
    ...(max === undefined ? [] : valueFaults(field, max, '/max')),
  ];
  if (faults.length > 0 || min === undefined || max === undefined || max >= min) return faults;
  return [{ at: '/max', message: 'must not be less than "min"' }];
}

/** An offer's lists are sorted, so an entry has no position of its own: the message quotes it. */
function valueFaults(field: OwnField, value: string | number, at: string): FilterFault[] {
  if (field.type === 'zip' && typeof value === 'string' && isZipPrefix(value)) return [];
  const normal = readComparable(field, value);
  if (normal === value) return [];
  if (normal !== null) return [{ at, message: `must name "${normal}" instead of "${value}", as leads have it` }];
  return [{ at, message: `"${value}" is no value of the field "${field.name}": it ${VALUE_FORMS[field.type](field)}` }];
}

/** Digits of a ZIP code, or the beginning of a Canadian code, and `*` for the rest. */
function isZipPrefix(text: string): boolean {
  return /^(?:\d{1,5}|[A-Z](?:\d(?:[A-Z](?: (?:\d[A-Z]?)?)?)?)?)\*$/.test(text);
}

const text = () => 'must be text, in quotes if it looks like a number';

const VALUE_FORMS: Readonly<Record<FieldType, (field: OwnField) => string>> = {
  text,
  url: text,
  boolean: () => 'must be true or false',
  integer: () => 'must be a whole number',
  number: () => 'must be a number',
  money: () => 'must be an amount such as 45.00',
  date: () => 'must be a day such as "2026-01-31"',
  datetime: () => 'must be an instant such as "2026-01-31T12:00:00Z"',
  enum: ({ values }) => `must be one of ${values.join(', ')}`,
  zip: () => 'must be a code in quotes such as "10001", or its beginning such as "941*"',
  email: () => 'must be an email address',
  phone: () => 'must be a phone number such as "+15555550123"',
};
