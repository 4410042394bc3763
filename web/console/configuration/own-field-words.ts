// Texts for the own fields of verticals and for filters on them, in forms and differences.
import { formatNumber } from '../../ui/formats.ts';
import type { OwnFieldForm, OwnFilter } from './configuration-api.ts';

export type OwnFieldType = OwnFieldForm['type'];

export const typeWords: Readonly<Record<OwnFieldType, string>> = {
  text: 'Text',
  integer: 'Whole number',
  number: 'Number',
  money: 'Amount',
  boolean: 'Yes or no',
  date: 'Day',
  datetime: 'Day and time',
  enum: 'One of several values',
  url: 'URL',
  zip: 'ZIP code',
  email: 'Email address',
  phone: 'Phone number',
};

/** `whole number, required, from 0 to 40, not delivered`; members that are left out have their defaults. */
export function ownFieldTraits(field: Partial<OwnFieldForm>): string {
  const { type = 'text', values = [], required = false, personal = false, delivered = true, filterable = true } = field;
  const { min = null, max = null, minLength = null, maxLength = null } = field;
  const word = typeWords[type];
  return [
    // An abbreviation keeps its capitals.
    /^[A-Z]{2}/.test(word) ? word : word.toLowerCase(),
    ...(values.length === 0 ? [] : [values.join(' / ')]),
    ...(required ? ['required'] : []),
    ...rangeWords(min, max),
    ...rangeWords(minLength, maxLength).map((range) => `${range} characters`),
    ...(personal ? ['personal'] : []),
    ...(delivered ? [] : ['not delivered']),
    ...(filterable ? [] : ['not filterable']),
  ].join(', ');
}

/** `Age of the roof: whole number, from 0` */
export function ownFieldWords(field: Partial<OwnFieldForm>): string {
  const { name = '', label = name } = field;
  const title = label === name || label === '' ? name : `${label} (${name})`;
  return `${title}: ${ownFieldTraits(field)}`;
}

/** `roof: metal or tile; zip: 941*, not 94105` */
export function ownFiltersWords(filters: Readonly<Record<string, OwnFilter>>): string {
  return Object.entries(filters)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, filter]) => `${name}: ${ownFilterWords(filter)}`)
    .join('; ');
}

function ownFilterWords({ in: wanted = [], notIn = [], min, max, is }: OwnFilter): string {
  return [
    ...(wanted.length === 0 ? [] : [wanted.map(valueWords).join(' or ')]),
    ...(notIn.length === 0 ? [] : [`not ${notIn.map(valueWords).join(' or ')}`]),
    ...rangeWords(min ?? null, max ?? null),
    ...(is === undefined ? [] : [is ? 'yes' : 'no']),
  ].join(', ');
}

function rangeWords(min: string | number | null, max: string | number | null): string[] {
  if (min !== null && max !== null) return [`from ${valueWords(min)} to ${valueWords(max)}`];
  if (min !== null) return [`from ${valueWords(min)}`];
  return max === null ? [] : [`up to ${valueWords(max)}`];
}

function valueWords(value: string | number): string {
  return typeof value === 'number' ? formatNumber(value) : value;
}
