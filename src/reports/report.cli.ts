// The command `report` (contract 7.2, 12.2).
import { type Command, InvalidArgumentError, Option } from 'commander';

import type { CliTable } from '../platform/cli-output.ts';
import { type CliContext, countArgument } from '../platform/cli.ts';
import { readReport } from './read-report.ts';
import { reportCsv } from './report-csv.rules.ts';
import { readQuestion, sortedRows } from './report-question.rules.ts';
import {
  type Report,
  type ReportDimension,
  reportDimensions,
  type ReportMeasure,
  REPORT_ROWS_DEFAULT,
  REPORT_ROWS_MAX,
  reportMeasures,
  reportSpans,
  type ReportSpanName,
  type ReportValues,
} from './report.schema.ts';

type Filters = Partial<Record<ReportDimension, string>>;
type ReportOptions = {
  readonly by?: string;
  readonly measures?: string;
  readonly from?: string;
  readonly until?: string;
  readonly span?: ReportSpanName;
  readonly timeZone?: string;
  readonly filter?: Filters;
  readonly compare?: true;
  readonly sort?: string;
  readonly limit: number;
  readonly csv?: true;
};

export function registerReportCommand(command: Command, context: CliContext): void {
  command
    .option('--by <dimensions>', `up to three of ${reportDimensions.join(', ')}`)
    .option('--measures <measures>', `some of ${reportMeasures.join(', ')}; default: all`)
    .option('--from <day>', 'the first day, e.g. 2026-11-01; default: 29 days before the last one')
    .option('--until <day>', 'the last day, inclusive; default: today')
    .addOption(new Option('--span <name>', 'days relative to today').choices(reportSpans).conflicts(['from', 'until']))
    .option('--time-zone <zone>', 'the time zone of the days, e.g. America/New_York; default: that of the marketplace')
    .option('--filter <dimension=values>', 'only these values, e.g. supplier=acme,zenith; repeatable', filterArgument)
    .option('--compare', 'add the span of the same number of days before')
    .option('--sort <name>', 'sort by a dimension or measure; with `-` before it the largest first: --sort=-margin')
    .option('--limit <rows>', 'at most this many rows', countArgument(1, REPORT_ROWS_MAX), REPORT_ROWS_DEFAULT)
    .addOption(new Option('--csv', 'print CSV').conflicts('json'))
    .action((options: ReportOptions) => print(context, options));
}

/** Values may be separated by commas; `-` stands for no value. Given again, a dimension gets the values of both. */
function filterArgument(text: string, before: Filters = {}): Filters {
  const [, word = '', values = ''] = /^(\w+)=(.+)$/s.exec(text) ?? [];
  const name = reportDimensions.find((one) => one === word);
  if (name === undefined) {
    throw new InvalidArgumentError(
      `It must be a dimension and its values, e.g. supplier=acme. Dimensions: ${reportDimensions.join(', ')}.`,
    );
  }
  const encoded = values.split(',').map(encodeURIComponent).join(',');
  const earlier = before[name];
  return { ...before, [name]: earlier === undefined ? encoded : `${earlier},${encoded}` };
}

async function print({ withDatabase, clock, out }: CliContext, options: ReportOptions): Promise<void> {
  const { filter = {}, compare, csv, ...rest } = options;
  const read = readQuestion(
    { ...rest, ...filter, ...(compare === undefined ? {} : { compare: 'previous' }) },
    'operator',
  );
  if (!read.ok) return out.refuse('invalid_report', `--${read.fault.field} ${read.fault.message}.`);
  const { query, order } = read.asked;
  const outcome = await withDatabase((database) =>
    database.tx((tx) => readReport(tx, query, { kind: 'operator' }, clock.now()), { snapshot: true }),
  );
  if (!outcome.ok) return out.refuse('invalid_report', outcome.detail ?? 'The report cannot be read.');
  const report: Report = { ...outcome.value, rows: sortedRows(outcome.value, order) };
  out.print({
    json: report,
    text: csv === true ? reportCsv(report).replaceAll('\r\n', '\n').trimEnd() : tableOf(report),
  });
}

/** The columns of the span before follow their measures. */
function tableOf({ dimensions, measures, rows, totals, totalsBefore, ...report }: Report): CliTable {
  const figures = (values: ReportValues, before: ReportValues | null): string[] =>
    measures.flatMap((name) => {
      const now = figureText(name, values[name]);
      return report.before === null ? [now] : [now, figureText(name, before?.[name])];
    });
  const total = [...dimensions.map((_, place) => (place === 0 ? 'Total' : '')), ...figures(totals, totalsBefore)];
  return {
    columns: [...dimensions, ...measures.flatMap((name) => (report.before === null ? [name] : [name, 'before']))],
    rows: [
      ...rows.map(({ keys, values, before = null }) => [...keys.map((key) => key ?? '-'), ...figures(values, before)]),
      total,
    ],
    note: [
      `${report.from} to ${report.until}, days in ${report.timeZone}, in ${report.currency}.`,
      report.before === null ? '' : ` Before: ${report.before.from} to ${report.before.until}.`,
      report.isCut ? ' There are more rows; the total contains them.' : '',
      report.isComplete ? '' : ' Leads from before the upgrade are still being counted.',
    ].join(''),
  };
}

function figureText(name: ReportMeasure, value: number | null | undefined): string {
  if (value === null || value === undefined) return '';
  if (['revenue', 'cost', 'margin', 'averagePrice'].includes(name)) return value.toFixed(2);
  if (['sellThrough', 'rejectionRate', 'returnRate'].includes(name)) return `${(value * 100).toFixed(1)} %`;
  return String(value);
}
