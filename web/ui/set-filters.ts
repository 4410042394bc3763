// The filters of a list that are set, in words. Pure.
import { dayFilter, type Filters } from './filters.ts';
import { formatDate } from './formats.ts';

/** The name of a filter, and the words for its value as the page shows it; the value itself without them. */
export type FilterWords = readonly [name: string, words?: (value: string) => string];

export type SetFilter = {
  /** The parameters to reset: two for a span of days. */
  readonly names: readonly string[];
  /** `Status: Sold` */
  readonly text: string;
};

/** Filters without words, such as the page and the order, are left out; the days of the list are one filter. */
export function findSetFilters(
  filters: Filters,
  values: Readonly<Record<string, unknown>>,
  words: Readonly<Record<string, FilterWords | undefined>>,
): SetFilter[] {
  const textOf = (name: string): string => (name in values ? (filters[name]?.write(values[name] as never) ?? '') : '');
  const days = Object.keys(filters).filter((name) => filters[name] === dayFilter);
  const [from = '', to = ''] = days.map(textOf);
  const span = daysWords(from, to);
  const named = Object.entries(words).flatMap(([name, known]) => {
    const value = textOf(name);
    if (known === undefined || value.trim() === '') return [];
    const [label, wordsFor = String] = known;
    return [{ names: [name], text: `${label}: ${wordsFor(value)}` }];
  });
  return span === '' ? named : [...named, { names: days, text: span }];
}

/** For the choices of a select: the label of a value. */
export function labelIn(
  choices: ReadonlyArray<{ readonly value: string; readonly label: string }>,
): (value: string) => string {
  return (value) => choices.find((choice) => choice.value === value)?.label ?? value;
}

function daysWords(from: string, to: string): string {
  if (from === '' && to === '') return '';
  if (from === to) return dayWords(from);
  if (to === '') return `From ${dayWords(from)}`;
  return from === '' ? `Through ${dayWords(to)}` : `${dayWords(from)} – ${dayWords(to)}`;
}

/** An address can name a day that no calendar has. */
function dayWords(day: string): string {
  return Number.isNaN(Date.parse(`${day}T12:00:00Z`)) ? day : formatDate(day);
}
