// Writes a report as CSV with the rows and columns of its table, for files and the command line (contract 12.1).
import { csvText } from '../deliveries/export/export-csv.rules.ts';
import type { Report, ReportValues } from './report.schema.ts';

const LINE_END = '\r\n';
/** Amounts have two decimals in every line, so that a column reads as one kind of number. */
const AMOUNTS: readonly string[] = ['revenue', 'cost', 'margin', 'averagePrice'];

/** The columns of the span before have the suffix `_before`. A report without dimensions is one line: its totals. */
export function reportCsv({ dimensions, measures, rows: split, before, totals, totalsBefore }: Report): string {
  const rows = dimensions.length === 0 ? [{ keys: [], values: totals, before: totalsBefore }] : split;
  const header = [...dimensions, ...measures.flatMap((name) => (before === null ? [name] : [name, `${name}_before`]))];
  const lines = rows.map((row) => [
    ...row.keys.map((key) => (key === null ? '' : csvText(key))),
    ...measures.flatMap((name) => {
      const cell = cellOf(row.values, name);
      return before === null ? [cell] : [cell, cellOf(row.before ?? {}, name)];
    }),
  ]);
  return [header, ...lines].map((cells) => cells.join(',') + LINE_END).join('');
}

function cellOf(values: ReportValues, name: string): string {
  const value = values[name] ?? null;
  if (value === null) return '';
  return AMOUNTS.includes(name) ? value.toFixed(2) : String(value);
}
