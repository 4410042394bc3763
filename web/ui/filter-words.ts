// Names of an offer's filters, their conditions, and the values of a lead beside them. Pure.
import type { FilterCheck } from '../../src/claims/filter-check.schema.ts';

const FILTERS: Readonly<Record<string, string>> = {
  states: 'State',
  statesNot: 'State',
  debtAmount: 'Debt amount',
  minScore: 'Score',
  suppliers: 'Supplier',
  suppliersNot: 'Supplier',
  sources: 'Source',
  sourcesNot: 'Source',
  requireConsent: 'Consent',
  requireEmail: 'Email address',
  requirePhone: 'Phone number',
};

const OWN = /^fields\./;

/** An own field has the label that it had when the lead was posted. */
export function filterName({ filter, label }: Pick<FilterCheck, 'filter' | 'label'>): string {
  return label ?? FILTERS[filter] ?? filter.replace(OWN, '');
}

/** The condition of a filter: `NY or NJ`, `not CA`, `from 1,000 to 5,000`. */
export function wantedWords({ filter, wanted }: Pick<FilterCheck, 'filter' | 'wanted'>): string {
  if (Array.isArray(wanted)) {
    const listed = wanted.map(String);
    return filter.endsWith('Not') ? `not ${joined(listed, 'and not')}` : joined(listed, 'or');
  }
  if (wanted === true) return filter === 'requireConsent' ? 'given' : 'present';
  if (typeof wanted === 'object' && wanted !== null)
    return OWN.test(filter) ? ownWantedWords(wanted) : rangeWords(wanted);
  return filter === 'minScore' ? `${wanted} or more` : String(wanted);
}

/** A personal value is not part of the evidence; the page of the lead shows it. */
export function foundWords({
  filter,
  found,
  personal = false,
}: Pick<FilterCheck, 'filter' | 'found' | 'personal'>): string {
  if (personal) return 'personal, see the lead';
  if (found === null) return 'not given';
  if (OWN.test(filter) && typeof found === 'boolean') return found ? 'yes' : 'no';
  if (typeof found === 'boolean') {
    const [yes, no] = filter === 'requireConsent' ? ['given', 'not given'] : ['present', 'missing'];
    return found ? yes : no;
  }
  return typeof found === 'number' ? numbers.format(found) : found;
}

const numbers = new Intl.NumberFormat('en-US');

type Range = { readonly min?: unknown; readonly max?: unknown };

/** `941* or 10001; not 94105; from 1 to 5` */
function ownWantedWords(wanted: object): string {
  const { in: values, notIn, is, ...range } = wanted as Range & Readonly<Record<'in' | 'notIn' | 'is', unknown>>;
  return [
    ...(Array.isArray(values) ? [joined(values.map(String), 'or')] : []),
    ...(Array.isArray(notIn) ? [`not ${joined(notIn.map(String), 'and not')}`] : []),
    ...(Object.keys(range).length === 0 ? [] : [rangeWords(range)]),
    ...(typeof is === 'boolean' ? [is ? 'yes' : 'no'] : []),
  ].join('; ');
}

/** Days and instants of own fields are texts. */
function rangeWords(range: object): string {
  const { min, max } = range as Range;
  const [low, high] = [boundWords(min), boundWords(max)];
  if (low !== null && high !== null) return `from ${low} to ${high}`;
  if (low !== null) return `${low} or ${typeof min === 'string' ? 'later' : 'more'}`;
  if (high === null) return 'anything';
  return `${high} or ${typeof max === 'string' ? 'earlier' : 'less'}`;
}

function boundWords(bound: unknown): string | null {
  if (typeof bound === 'number') return numbers.format(bound);
  return typeof bound === 'string' ? bound : null;
}

function joined(words: readonly string[], by: string): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} ${by} ${last}`;
}
