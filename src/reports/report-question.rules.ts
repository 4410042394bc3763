// Reads a report's question from the parameters of a URL or a command, and sorts the rows as asked (contract 12.1).
import { isStorable } from '../base/text.ts';
import type { ReportQuestion } from './report-question.schema.ts';
import {
  type Report,
  REPORT_DIMENSIONS_MAX,
  type ReportDimension,
  reportDimensions,
  type ReportMeasure,
  reportMeasures,
  type ReportQuery,
} from './report.schema.ts';
import { allowedInReports, type ReportScope } from './report-scope.rules.ts';

type Order = { readonly by: ReportDimension | ReportMeasure; readonly isDescending: boolean };
export type AskedReport = { readonly query: ReportQuery; readonly order: Order | null };
/** `field`: the parameter that is wrong. `message` quotes no value. */
type QuestionFault = { readonly field: string; readonly message: string };

/** How a filter names the rows that have no value. */
const NO_VALUE = '-';

/** Without `measures` all that the scope allows are asked for. */
export function readQuestion(
  question: ReportQuestion,
  kind: ReportScope['kind'],
): { readonly ok: true; readonly asked: AskedReport } | { readonly ok: false; readonly fault: QuestionFault } {
  const { by = '', measures: named = '', sort = '', from, until, span, timeZone, compare, limit } = question;
  const dimensions = wordsOf(by, reportDimensions);
  if (dimensions === null) return wrong('by', `must be some of ${reportDimensions.join(', ')}, each once`);
  if (dimensions.length > REPORT_DIMENSIONS_MAX) {
    return wrong('by', `must be ${REPORT_DIMENSIONS_MAX} dimensions at most`);
  }
  const chosen = wordsOf(named, reportMeasures);
  if (chosen === null) return wrong('measures', `must be some of ${reportMeasures.join(', ')}, each once`);
  const measures = chosen.length === 0 ? [...allowedInReports[kind].measures] : chosen;
  const filters: { [Name in ReportDimension]?: (string | null)[] } = {};
  for (const name of reportDimensions) {
    const text = question[name];
    if (text === undefined) continue;
    const values = valuesIn(text);
    if (values === null) return wrong(name, 'must be percent-encoded values, separated by commas');
    filters[name] = values;
  }
  const order = orderOf(sort, [...dimensions, ...measures]);
  if (order === undefined) return wrong('sort', 'must be one of the dimensions or measures of the report');
  const given = Object.fromEntries(
    Object.entries({ from, until, span, timeZone, compare, limit }).filter(([, value]) => value !== undefined),
  );
  return { ok: true, asked: { query: { ...given, dimensions, measures, filters }, order } };
}

const wrong = (field: string, message: string) => ({ ok: false as const, fault: { field, message } });

/** Null for an unknown or repeated word. */
function wordsOf<Word extends string>(text: string, words: readonly Word[]): Word[] | null {
  const given = text === '' ? [] : text.split(',').map((word) => word.trim());
  const known = given.flatMap((word) => words.find((one) => one === word) ?? []);
  return known.length === given.length && new Set(known).size === known.length ? known : null;
}

function valuesIn(text: string): (string | null)[] | null {
  try {
    const values = text.split(',').map((part) => (part === NO_VALUE ? null : decodeURIComponent(part)));
    // Decoding a second time may bring a NUL, which was checked for before.
    return values.every((value) => value === null || isStorable(value)) ? values : null;
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

/** Null without an order, undefined if it names what the report does not have. */
function orderOf(sort: string, names: ReadonlyArray<ReportDimension | ReportMeasure>): Order | null | undefined {
  if (sort === '') return null;
  const isDescending = sort.startsWith('-');
  const word = isDescending ? sort.slice(1) : sort;
  const by = names.find((name) => name === word);
  return by === undefined ? undefined : { by, isDescending };
}

/** Rows without the value come last in both directions; equal rows stay in their order. */
export function sortedRows({ rows, dimensions }: Report, order: Order | null): Report['rows'] {
  if (order === null) return rows;
  const place = dimensions.findIndex((name) => name === order.by);
  const valueOf = ({ keys, values }: Report['rows'][number]): string | number | null =>
    (place === -1 ? values[order.by] : keys[place]) ?? null;
  return rows.toSorted((one, other) => {
    const [left, right] = [valueOf(one), valueOf(other)];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    const ascending = left < right ? -1 : left > right ? 1 : 0;
    return order.isDescending ? -ascending : ascending;
  });
}
