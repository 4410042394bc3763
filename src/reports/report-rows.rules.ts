// Turns grouped sums of a span, and of the span before it, into the rows and totals of a report (contract 12.1).
import type { Report, ReportDimension, ReportMeasure, ReportValues } from './report.schema.ts';
import { timeDimensions } from './report.schema.ts';
import { periodKeys, type ReportSpans } from './report-span.rules.ts';
import { NO_SUMS, type ReportSums, valuesOf } from './report-values.rules.ts';

/** `keys` in the order of the dimensions; an empty text is no value. */
export type Group = { readonly keys: readonly string[]; readonly sums: ReportSums };
export type Groups = { readonly groups: readonly Group[]; readonly totals: ReportSums; readonly isCut: boolean };

export type RowsInput = {
  readonly dimensions: readonly ReportDimension[];
  readonly measures: readonly ReportMeasure[];
  readonly limit: number;
  readonly withLeads: boolean;
  readonly spans: ReportSpans;
  readonly now: Groups;
  readonly before: Groups | null;
};

type Row = Report['rows'][number];

/**
 * Rows of both spans meet by their keys. Days, weeks and months of the span before take the keys of those in the same position of the span
 * itself; what has no counterpart is in the totals alone.
 */
export function reportRows(input: RowsInput): Pick<Report, 'rows' | 'isCut' | 'totals' | 'totalsBefore'> {
  const { measures, withLeads, now, before, limit } = input;
  const values = (sums: ReportSums): ReportValues => valuesOf(measures, sums, { withLeads });
  const current = byKeys(now.groups);
  const earlier = before === null ? null : byKeys(shifted(before.groups, input));
  const all = new Map([...(earlier ?? []), ...current]);
  const rows = [...all.entries()]
    .map(([key, { keys }]): Row => {
      const row = {
        keys: keys.map((one) => (one === '' ? null : one)),
        values: values(current.get(key)?.sums ?? NO_SUMS),
      };
      return earlier === null ? row : { ...row, before: values(earlier.get(key)?.sums ?? NO_SUMS) };
    })
    // What another scope counts in a combination leaves no row of zeros in this one.
    .filter((row) =>
      [row.values, row.before ?? {}].some((one) => Object.values(one).some((value) => (value ?? 0) !== 0)),
    )
    .toSorted(orderOf(input));
  return {
    rows: rows.slice(0, limit),
    isCut: rows.length > limit || now.isCut || before?.isCut === true,
    totals: values(now.totals),
    totalsBefore: before === null ? null : values(before.totals),
  };
}

const byKeys = (groups: readonly Group[]): Map<string, Group> =>
  new Map(groups.map((group) => [JSON.stringify(group.keys), group]));

function shifted(groups: readonly Group[], { dimensions, spans: { span, before } }: RowsInput): Group[] {
  if (before === null) return [];
  const renamed = dimensions.map((name) => {
    if (name !== 'day' && name !== 'week' && name !== 'month') return null;
    const keys = periodKeys(name, span);
    return new Map(periodKeys(name, before).map((key, index) => [key, keys[index]]));
  });
  return groups.flatMap(({ keys, sums }) => {
    const moved = keys.map((key, place) => {
      const names = renamed[place] ?? null;
      return names === null ? key : names.get(key);
    });
    const known = moved.filter((key) => key !== undefined);
    return known.length === moved.length ? [{ keys: known, sums }] : [];
  });
}

function orderOf({ dimensions, measures }: RowsInput): (one: Row, other: Row) => number {
  const [dimension] = dimensions;
  const isInTime = timeDimensions.some((name) => name === dimension);
  const [measure = ''] = measures;
  return (one, other) => {
    const byValue = (other.values[measure] ?? -Infinity) - (one.values[measure] ?? -Infinity);
    return isInTime || Number.isNaN(byValue) || byValue === 0 ? compareKeys(one.keys, other.keys) : byValue;
  };
}

/** By code units, so that the order is the same everywhere; no value comes last. */
function compareKeys(one: Row['keys'], other: Row['keys']): number {
  for (const [index, key] of one.entries()) {
    const against = other[index] ?? null;
    if (key === against) continue;
    if (key === null) return 1;
    return against === null || key < against ? -1 : 1;
  }
  return 0;
}
