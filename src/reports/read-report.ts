// Answers a report: checks the question, adds up the span and the one before, and calculates the measures (contract 12.1).
import { strict as assert } from 'node:assert';

import { type Refusal, done, refuse } from '../base/outcome.ts';
import { readSettings } from '../marketplace/stored-settings.ts';
import { computedTimeZone } from '../base/time-zone.rules.ts';
import type { Tx } from '../platform/database/database.ts';
import { zonesToRefuse } from '../platform/time-zones.ts';
import {
  countWaiting,
  groupFromCells,
  groupFromFacts,
  groupPartnerFromCells,
  groupPartnerFromFacts,
  type Progress,
  readProgressSql,
} from './report-cells.sql.ts';
import type { FilterParams, GroupParams, GroupRow } from './report-group.sql.ts';
import { groupFromRows, type SpanParams } from './report-reference.sql.ts';
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
import { type ReportFault, type ReportSpan, spansOf } from './report-span.rules.ts';
import { NO_SUMS } from './report-values.rules.ts';
import { LEVELS, planReport } from './rollups.rules.ts';

/** What deliveries have and leads do not. */
const ONLY_DELIVERIES: readonly ReportDimension[] = ['partner', 'offer', 'eventType', 'priceBand'];
/** Combinations that are put in order; of more the smallest are only in the totals. */
const GROUPS_MAX = 50_000;
/** Changes that a report adds to the roll-ups by itself: some tenths of a second. With more it is as of the last fold. */
const WAITING_MAX = 20_000;

/** Adds up the groups of one span. */
type ReadGroups = (span: ReportSpan, params: GroupParams & SpanParams) => Promise<GroupRow[]>;

/** `field`: the parameter that is wrong. */
export type ReadReport =
  | { readonly ok: true; readonly value: Report }
  | (Refusal<'invalid_report'> & { readonly field: string });

const invalid = ({ field, fault }: ReportFault): ReadReport => ({ ...refuse('invalid_report', fault), field });

/**
 * `tx` must be a snapshot for all sums to be of one instant. A question that is not allowed in the scope, or has impossible days or an
 * unknown time zone, is `invalid_report` with a text for the one who asked. In a partner's transaction (tenant.ts) the scope must be that
 * of the partner: its role sees nothing else.
 */
export async function readReport(tx: Tx, query: ReportQuery, scope: ReportScope, now: Date): Promise<ReadReport> {
  const progress = await readProgress(tx);
  const withRest = scope.kind !== 'partner' && (await isRestRead(tx));
  const isMedianAsked = query.measures.includes('medianSeconds');
  const asked = { query, scope, now };
  const outcome = await answer(tx, asked, (used) =>
    rollupReader(tx, { used, scope, withRest, progress, isMedianAsked }),
  );
  if (!outcome.ok) return outcome;
  const asOf = withRest ? now : (progress.foldedAt ?? now);
  return done({ ...outcome.value, asOf: asOf.toISOString(), isComplete: progress.isComplete });
}

/** The same, from the rows of leads, deliveries and transfers: reads all of them. What `readReport` has to agree with. @public */
export async function readReportFromRows(
  tx: Tx,
  query: ReportQuery,
  scope: ReportScope,
  now: Date,
): Promise<ReadReport> {
  return answer(tx, { query, scope, now }, () => (_span, params) => tx.query(groupFromRows, params));
}

/** Whether the changes that are not folded yet are few enough to be read. */
export async function isRestRead(tx: Tx): Promise<boolean> {
  const [row] = await tx.query(countWaiting, { atMost: WAITING_MAX + 1 });
  return row !== undefined && row.waiting <= WAITING_MAX;
}

async function readProgress(tx: Tx): Promise<Progress> {
  const [progress] = await tx.query(readProgressSql);
  assert(progress !== undefined, 'the table report_progress has no row');
  return { ...progress, cellZone: computedTimeZone(progress.cellZone) };
}

type Asked = { readonly query: ReportQuery; readonly scope: ReportScope; readonly now: Date };
type ReaderOptions = {
  readonly used: Used;
  readonly scope: ReportScope;
  readonly withRest: boolean;
  readonly progress: Progress;
  readonly isMedianAsked: boolean;
};
/** Dimensions of the rows and the filters, and the time zone of the days. */
type Used = { readonly dimensions: readonly ReportDimension[]; readonly timeZone: string };

function rollupReader(
  tx: Tx,
  { used: { dimensions, timeZone }, scope, withRest, isMedianAsked, progress: { cellZone } }: ReaderOptions,
): ReadGroups {
  const way = isMedianAsked ? 'withSeconds' : 'plain';
  return (span, params) => {
    const plan = planReport({ used: dimensions, span, timeZone, cellZone });
    const isPartner = scope.kind === 'partner';
    if (plan.kind === 'facts') {
      return isPartner
        ? tx.query(groupPartnerFromFacts[way], params)
        : tx.query(groupFromFacts[way], { ...params, withRest });
    }
    const { rollup, runs, isLocal } = plan;
    const cells = {
      ...{ rollup, isLocal, levels: runs.map(({ level }) => LEVELS[level]) },
      ...{ starts: runs.map(({ from }) => from), ends: runs.map(({ until }) => until) },
    };
    return isPartner
      ? tx.query(groupPartnerFromCells[way], { ...params, ...cells })
      : tx.query(groupFromCells[way], { ...params, ...cells, withRest });
  };
}

async function answer(tx: Tx, { query, scope, now }: Asked, readerOf: (used: Used) => ReadGroups): Promise<ReadReport> {
  const error = scopeError(query, scope);
  if (error !== null) return invalid(error);
  const { settings } = await readSettings(tx);
  const spans = spansOf({ ...query, timeZone: query.timeZone ?? settings.timeZone }, now);
  if ('fault' in spans) return invalid(spans);
  const { span, timeZone } = spans;
  if (timeZone !== settings.timeZone && (await zonesToRefuse(tx, [timeZone])).length > 0)
    return invalid({ field: 'timeZone', fault: `The database does not know the time zone ${timeZone}.` });
  const { dimensions, measures, limit = REPORT_ROWS_DEFAULT } = query;
  const filters = filtersOf(query, scope);
  const used = [...dimensions, ...reportDimensions.filter((name) => filters[`${name}Values`] !== null)];
  const withLeads = !used.some((name) => ONLY_DELIVERIES.includes(name));
  const readGroups = readerOf({ dimensions: used, timeZone });
  const read = async (one: ReportSpan): Promise<Groups> => {
    const times = { from: new Date(one.from), until: new Date(one.until), timeZone };
    const params = { ...filters, ...placesOf(dimensions), ...times, withLeads, groups: GROUPS_MAX };
    return groupsOf(await readGroups(one, params), dimensions.length);
  };
  const current = await read(span);
  const before = spans.before === null ? null : await read(spans.before);
  return done({
    from: span.firstDay,
    until: span.lastDay,
    timeZone,
    currency: settings.currency,
    asOf: now.toISOString(),
    isComplete: true,
    before: spans.before === null ? null : { from: spans.before.firstDay, until: spans.before.lastDay },
    dimensions,
    measures,
    ...reportRows({ dimensions, measures, limit, withLeads, spans, now: current, before }),
  });
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

function groupsOf([total, ...rows]: readonly GroupRow[], places: number): Groups {
  return {
    groups:
      places === 0
        ? []
        : rows.map((row) => ({
            keys: [row.key1, row.key2, row.key3].slice(0, places).map((key) => key ?? ''),
            sums: row,
          })),
    totals: total ?? NO_SUMS,
    isCut: rows.length >= GROUPS_MAX - 1,
  };
}
