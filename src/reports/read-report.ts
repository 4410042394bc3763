// Answers a report: checks the question, adds up the span and the one before, and calculates the measures (contract 12.1).
import { type Outcome, done, refuse } from '../base/outcome.ts';
import { readSettings } from '../marketplace/stored-settings.ts';
import type { Tx } from '../platform/database/database.ts';
import { groupFromRows } from './report-reference.sql.ts';
import type { FilterParams, GroupParams, GroupRow } from './report-group.sql.ts';
import { type Groups, reportRows } from './report-rows.rules.ts';
import { scopeError, type ReportScope } from './report-scope.rules.ts';
import {
  type ColumnDimension,
  type Report,
  REPORT_ROWS_DEFAULT,
  type ReportDimension,
  reportDimensions,
  type ReportQuery,
} from './report.schema.ts';
import { type ReportSpan, type ReportSpans, spansOf } from './report-span.rules.ts';
import { NO_SUMS } from './report-values.rules.ts';

/** What deliveries have and leads do not. */
const ONLY_DELIVERIES: readonly ReportDimension[] = ['partner', 'offer', 'eventType', 'priceBand'];
/** Combinations that are put in order; of more the smallest are only in the totals. */
const GROUPS_MAX = 50_000;

/**
 * `tx` must be a snapshot for all sums to be of one instant. A question that is not allowed in the scope, or has impossible days or an
 * unknown time zone, is `invalid_report` with a text for the one who asked.
 */
export async function readReport(
  tx: Tx,
  query: ReportQuery,
  scope: ReportScope,
  now: Date,
): Promise<Outcome<Report, 'invalid_report'>> {
  const error = scopeError(query, scope);
  if (error !== null) return refuse('invalid_report', error);
  const { settings } = await readSettings(tx);
  const spans = spansOf({ ...query, timeZone: query.timeZone ?? settings.timeZone }, now);
  if (typeof spans === 'string') return refuse('invalid_report', spans);
  const { dimensions, measures, limit = REPORT_ROWS_DEFAULT } = query;
  const filters = filtersOf(query, scope);
  const used = [...dimensions, ...reportDimensions.filter((name) => filters[`${name}Values`] !== null)];
  const withLeads = !used.some((name) => ONLY_DELIVERIES.includes(name));
  const read = (span: ReportSpan): Promise<Groups> =>
    readGroups(tx, { ...filters, ...placesOf(dimensions), ...spanParams(span, spans), withLeads, groups: GROUPS_MAX });
  const current = await read(spans.span);
  const before = spans.before === null ? null : await read(spans.before);
  const { span, timeZone } = spans;
  return done({
    from: span.firstDay,
    until: span.lastDay,
    timeZone,
    currency: settings.currency,
    asOf: now.toISOString(),
    before: spans.before === null ? null : { from: spans.before.firstDay, until: spans.before.lastDay },
    dimensions,
    measures,
    ...reportRows({ dimensions, measures, limit, withLeads, spans, now: current, before }),
  });
}

function spanParams({ from, until }: ReportSpan, { timeZone }: ReportSpans) {
  return { from: new Date(from), until: new Date(until), timeZone };
}

function placesOf([first, second, third]: readonly ReportDimension[]) {
  return { first: first ?? null, second: second ?? null, third: third ?? null };
}

function filtersOf({ filters = {} }: ReportQuery, scope: ReportScope): FilterParams {
  const own: Partial<Record<ColumnDimension, readonly string[]>> =
    scope.kind === 'operator' ? {} : { [scope.kind]: [scope.key] };
  return Object.fromEntries(
    reportDimensions.map((name) => [
      `${name}Values`,
      own[name as ColumnDimension] ?? filters[name]?.map((value) => value ?? '') ?? null,
    ]),
  ) as FilterParams;
}

async function readGroups(tx: Tx, params: GroupParams): Promise<Groups> {
  const [total, ...rows] = await tx.query(groupFromRows, params);
  const isGrouped = params.first !== null;
  return {
    groups: isGrouped ? rows.map((row) => ({ keys: keysOf(row, params), sums: row })) : [],
    totals: total ?? NO_SUMS,
    isCut: rows.length >= params.groups - 1,
  };
}

function keysOf({ key1, key2, key3 }: GroupRow, { first, second, third }: GroupParams): string[] {
  const places = [first, second, third].filter((name) => name !== null).length;
  return [key1, key2, key3].slice(0, places).map((key) => key ?? '');
}
