// Turns the rows of a report into the bars of a chart.
import type { Report, ReportMeasure } from '../../../src/reports/report.schema.ts';
import { isAdditive, isTime, keyInWords } from './words.ts';

/** More bars, or more parts of a bar, cannot be told apart; over time they form a line that can still be read. */
const BARS_MAX = 62;
const TIMES_MAX = 366;
const PARTS_MAX = 5;

type BarRow = Readonly<Record<string, string | number>>;
export type ChartRows = {
  /** `label`, and one member per series. */
  readonly rows: readonly BarRow[];
  readonly series: ReadonlyArray<{ readonly name: string; readonly label: string }>;
  readonly isStacked: boolean;
};

export function chartRows(report: Report, measure: ReportMeasure, measureName: string): ChartRows {
  const { dimensions, before } = report;
  if (isTime(dimensions[0]) && dimensions.length === 2 && isAdditive(measure)) return parts(report, measure);
  const rowOf = (row: Pick<Report['rows'][number], 'keys' | 'values' | 'before'>): BarRow => ({
    label: labelOf(report, row.keys),
    now: row.values[measure] ?? 0,
    ...(before === null ? {} : { before: row.before?.[measure] ?? 0 }),
  });
  const times = dimensions.length === 1 ? timesOf(report) : null;
  const byKey = new Map(report.rows.map((row) => [row.keys[0], row]));
  const rows =
    times === null
      ? report.rows.slice(0, BARS_MAX).map(rowOf)
      : times.map((key) => rowOf(byKey.get(key) ?? { keys: [key], values: {} }));
  const now = { name: 'now', label: measureName };
  const series = before === null ? [now] : [now, { name: 'before', label: 'The days before' }];
  return { rows, series, isStacked: false };
}

function labelOf({ dimensions, names }: Report, keys: ReadonlyArray<string | null>): string {
  return dimensions.map((name, place) => keyInWords(name, keys[place] ?? null, names)).join(' · ');
}

const DAY_MS = 86_400_000;

/**
 * The days, weeks or months of the report, so that those without a row leave a gap; the latest of too many. Null if the first dimension is
 * none of them.
 */
function timesOf({ dimensions: [name], from, until }: Report): string[] | null {
  if (name !== 'day' && name !== 'week' && name !== 'month') return null;
  const at = new Date(from);
  if (name === 'week') at.setTime(at.getTime() - ((at.getUTCDay() + 6) % 7) * DAY_MS);
  if (name === 'month') at.setUTCDate(1);
  const keys: string[] = [];
  while (at <= new Date(until)) {
    keys.push(at.toISOString().slice(0, name === 'month' ? 'YYYY-MM'.length : 'YYYY-MM-DD'.length));
    if (name === 'month') at.setUTCMonth(at.getUTCMonth() + 1);
    else at.setTime(at.getTime() + (name === 'week' ? 7 : 1) * DAY_MS);
  }
  return keys.slice(-TIMES_MAX);
}

/** One bar per time, with the largest values of the second dimension as its parts and the others as one. */
function parts(report: Report, measure: ReportMeasure): ChartRows {
  const {
    dimensions: [time, split],
    rows,
    names,
  } = report;
  if (time === undefined || split === undefined) return { rows: [], series: [], isStacked: true };
  const sums = new Map<string | null, number>();
  for (const { keys, values } of rows) {
    const key = keys[1] ?? null;
    sums.set(key, (sums.get(key) ?? 0) + (values[measure] ?? 0));
  }
  const largest = [...sums].toSorted(([, one], [, other]) => other - one).map(([key]) => key);
  const own = largest.slice(0, PARTS_MAX);
  const partOf = (key: string | null): string => {
    const place = own.indexOf(key);
    return place === -1 ? 'others' : `part${place}`;
  };
  const empty = (timesOf(report) ?? []).map((key) => keyInWords(time, key));
  const bars = new Map<string, Record<string, string | number>>(empty.map((label) => [label, { label }]));
  for (const { keys, values } of rows) {
    const label = keyInWords(time, keys[0] ?? null);
    const bar = bars.get(label) ?? { label };
    const part = partOf(keys[1] ?? null);
    bar[part] = Number(bar[part] ?? 0) + (values[measure] ?? 0);
    bars.set(label, bar);
  }
  const series = own.map((key, place) => ({ name: `part${place}`, label: keyInWords(split, key, names) }));
  return {
    rows: [...bars.values()].slice(-TIMES_MAX),
    series: largest.length > own.length ? [...series, { name: 'others', label: 'Others' }] : series,
    isStacked: true,
  };
}
