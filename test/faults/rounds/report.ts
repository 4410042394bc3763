// Formats the table of the fault test for the terminal and for docs/reliability.md.
import { readFileSync, writeFileSync } from 'node:fs';

import { median } from '../../../bench/support/numbers.ts';
import type { Round, Series } from './series.ts';

const COLUMNS = [
  'fault',
  'rounds',
  'acknowledged',
  'lost',
  'doubled',
  'unasked exits',
  'writes again',
  'others',
  'under way',
  'verdict',
  'measured',
] as const;

type Row = readonly string[];

const MARKERS = { begin: '<!-- faults:begin -->', end: '<!-- faults:end -->' } as const;

export function rowOf({ fault, rounds, skipped }: Series, date: string): Row {
  if (skipped !== null)
    return [fault.title, '0', ...Array.from({ length: 7 }, () => '–'), `not tried: ${skipped}`, date];
  const sum = (pick: (round: Round) => number): string =>
    rounds.reduce((total, round) => total + pick(round), 0).toLocaleString('en-US');
  const failing = rounds.filter(({ failures }) => failures.length > 0).length;
  const slow = rounds.filter(({ late }) => late.length > 0).length;
  return [
    fault.title,
    String(rounds.length),
    sum(({ acknowledged }) => acknowledged),
    sum(({ lost }) => lost),
    sum(({ doubled }) => doubled),
    sum(({ unasked }) => unasked),
    spread(rounds.map(({ recovery }) => recovery.writes)),
    spread(rounds.map(({ recovery }) => recovery.others)),
    spread(rounds.map(({ recovery }) => recovery.own)),
    failing > 0 ? `fails in ${failing}` : slow > 0 ? `holds, late in ${slow}` : 'holds',
    date,
  ];
}

/** Median and worst, in seconds. */
function spread(times: ReadonlyArray<number | null>): string {
  const known = times.filter((time) => time !== null);
  if (known.length === 0) return '–';
  return [median(known), Math.max(...known)]
    .map((ms) => (ms === Infinity ? 'never' : (ms / 1000).toFixed(1)))
    .join(' / ');
}

export function table(rows: readonly Row[], columns: Row = COLUMNS): string {
  const lines: readonly Row[] = [columns, ...rows];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => (line[index] ?? '').length), 3));
  const written = (cells: Row): string =>
    `| ${widths.map((width, index) => (index === 0 ? (cells[index] ?? '').padEnd(width) : (cells[index] ?? '').padStart(width))).join(' | ')} |`;
  const rule = `| ${widths.map((width, index) => (index === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [written(columns), rule, ...rows.map(written)].join('\n');
}

/** Puts the rows of what was tried into the document's table; those of other faults stay as they are. `order`: all titles; `conditions`:
 * a sentence for below it. */
export function writeRows(
  path: string,
  rows: readonly Row[],
  {
    order,
    conditions,
    columns = COLUMNS,
  }: { readonly order: readonly string[]; readonly conditions: string; readonly columns?: Row },
): void {
  const text = readFileSync(path, 'utf8');
  const [begin, end] = [text.indexOf(MARKERS.begin), text.indexOf(MARKERS.end)];
  if (begin === -1 || end < begin) throw new Error(`${path} has no place for the table`);
  const kept = rowsIn(text.slice(begin, end)).filter(([title = '']) => order.includes(title));
  const byTitle = new Map([...kept, ...rows].map((row) => [row[0], row]));
  const all = order.map((title) => byTitle.get(title)).filter((row) => row !== undefined);
  writeFileSync(
    path,
    `${text.slice(0, begin)}${MARKERS.begin}\n\n${table(all, columns)}\n\n${conditions}\n\n${text.slice(end)}`,
  );
}

/** The rows below the two lines of the table head. */
function rowsIn(text: string): Row[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
}
