// The question of a report in the address of the page, so that a link shows the same report.
import type { ReportQuestion } from '../../../src/reports/report-question.schema.ts';
import type { ReportDimension, ReportMeasure } from '../../../src/reports/report.schema.ts';
import { choiceFilter, dayFilter, textFilter, useFilters } from '../filters.ts';
import { DIMENSION_NAMES, SPAN_NAMES } from './words.ts';

/** `days`: the days of `from` and `until`. */
export const SPANS = ['last-30-days', ...Object.keys(SPAN_NAMES).filter((name) => name !== 'last-30-days'), 'days'] as [
  'last-30-days',
  ...Exclude<NonNullable<ReportQuestion['span']>, 'last-30-days'>[],
  'days',
];

const VALUES = Object.fromEntries(Object.keys(DIMENSION_NAMES).map((name) => [name, textFilter])) as Record<
  ReportDimension,
  typeof textFilter
>;

const FILTERS = {
  by: textFilter,
  measures: textFilter,
  span: choiceFilter(SPANS),
  from: dayFilter,
  until: dayFilter,
  timeZone: textFilter,
  compare: choiceFilter(['', 'previous']),
  sort: textFilter,
  chart: textFilter,
  ...VALUES,
};

/** `chart`: the measure that the chart shows. */
export type Asked = ReturnType<typeof useAsked>[0];
export type ChangeAsked = ReturnType<typeof useAsked>[1];

export function useAsked() {
  return useFilters(FILTERS);
}

export const dimensionsIn = (text: string): ReportDimension[] => wordsIn(text) as ReportDimension[];
export const measuresIn = (text: string): ReportMeasure[] => wordsIn(text) as ReportMeasure[];

function wordsIn(text: string): string[] {
  return text === '' ? [] : text.split(',');
}

/** Values of a filter are percent-encoded, because they may contain commas. A text that was not encoded by us stays as it is. */
export function valuesIn(text: string): string[] {
  return wordsIn(text).map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
}

export const textOfValues = (values: readonly string[]): string => values.map(encodeURIComponent).join(',');

/** What is asked of the service: without what only the page knows, and without empty parameters. */
export function questionOf({ chart: _chart, span, from, until, ...asked }: Asked): ReportQuestion {
  const days = span === 'days' ? { from, until } : { span };
  return Object.fromEntries(Object.entries({ ...asked, ...days }).filter(([, value]) => value !== ''));
}
