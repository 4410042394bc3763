// Reads a CSV file as a stream of rows with their lines, and reports what is wrong with its form (contract 7.10).
import { pipeline, type Readable } from 'node:stream';

import { parse } from 'csv-parse';

import { unknownName } from '../marketplace-file/nearest-name.rules.ts';
import type { FileFault } from '../marketplace-file/marketplace-file.ts';
import { type CsvRow, faultAt, type Header } from './csv-row.rules.ts';
import { type Findings, rejectRow, reportFaults } from './findings.ts';

export type CsvColumns = { readonly known: readonly string[]; readonly required: readonly string[] };

/** Rows that are handled together, and for sold leads committed together. */
const BATCH_ROWS = 2500;
/** A missing quote would make the rest of the file one row, and hold it in memory. */
const ROW_BYTES_MAX = 1_000_000;
/** Of a row: many times as many as any file has. Each takes time, and each unknown name of a header is compared with all known ones. */
const CELLS_MAX = 1000;
/** What the decoder writes for bytes that are not UTF-8. */
const NOT_UTF8 = '\ufffd';

/**
 * RFC 4180 with a header, in UTF-8 with or without a byte order mark, lines ending with CRLF or LF. Yields up to `BATCH_ROWS` rows at a
 * time; rows with an error are reported and left out. Ends early after an error in the header, a row with too many cells, or a quote without
 * its counterpart.
 */
export async function* readCsv(
  source: Readable,
  columns: CsvColumns,
  findings: Findings,
): AsyncGenerator<readonly CsvRow[]> {
  const { records, broken } = openParser(source);
  let header: Header | null = null;
  let rows: CsvRow[] = [];
  let read = 0;
  let next = 1;
  for await (const cells of records) {
    if (read === broken.first?.records) break;
    read += 1;
    const line = next;
    if (cells.length > CELLS_MAX) {
      const message = `has ${cells.length} cells; at most ${CELLS_MAX} are read, and nothing below was`;
      reportFaults(findings, [{ line, column: 1, path: '', message }]);
      return;
    }
    next += 1 + breaksIn(cells);
    if (cells.every((cell) => cell === '')) continue;
    if (header === null) {
      header = readHeader(cells, { line, columns, findings });
      if (header === null) return;
      continue;
    }
    findings.rows += 1;
    const row = { line, cells, header };
    const faults = formFaults(row);
    if (faults.length > 0) rejectRow(findings, faults);
    else rows.push(row);
    if (rows.length < BATCH_ROWS) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
  if (broken.first !== null) reportFaults(findings, [quoteFault(broken.first, next)]);
  else if (header === null) {
    const message = `is empty; its first line must name the columns: ${columns.known.join(', ')}`;
    reportFaults(findings, [{ line: 1, column: 1, path: '', message }]);
  }
}

/** The first error of the parser, and how many rows it has read before. */
type Broken = { readonly code: string; readonly column: number; readonly records: number };
type Parsed = {
  readonly records: AsyncIterable<readonly string[]>;
  readonly broken: { readonly first: Broken | null };
};

/**
 * The parser would end with its first error and drop the rows that it has parsed already, so it is made to skip instead. Its own count of lines
 * takes a CRLF inside of quotes for two, and handing it out with every row takes as long as the parsing.
 */
export function openParser(source: Readable, delimiter = ','): Parsed {
  const broken: { first: Broken | null } = { first: null };
  const parser = parse({
    bom: true,
    delimiter,
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    max_record_size: ROW_BYTES_MAX,
    skip_records_with_error: true,
    on_skip(error) {
      const { code = '', column = 0 } = (error ?? {}) as Partial<Broken>;
      broken.first ??= { code, column, records: parser.info.records };
      return undefined;
    },
  });
  // An error of the source reaches the loop over the records, because the pipeline destroys the parser with it.
  return { records: pipeline(source, parser, () => undefined) as AsyncIterable<readonly string[]>, broken };
}

/** Line breaks inside of quotes. */
export function breaksIn(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => sum + (cell.includes('\n') ? cell.split('\n').length - 1 : 0), 0);
}

function readHeader(
  names: readonly string[],
  { line, columns: { known, required }, findings }: { line: number; columns: CsvColumns; findings: Findings },
): Header | null {
  const header = new Map<string, number>();
  const faults: FileFault[] = [];
  for (const [position, written] of names.entries()) {
    const name = written.trim();
    const fault = (message: string): void => void faults.push({ line, column: position + 1, path: name, message });
    if (written.includes(NOT_UTF8)) fault('is not UTF-8 text');
    else if (name === '') fault('is a column without a name');
    else if (!known.includes(name)) fault(unknownName(name, known));
    else if (header.has(name)) fault('stands here for the second time');
    else header.set(name, position);
  }
  for (const name of required) {
    if (!header.has(name)) faults.push({ line, column: 1, path: name, message: 'is a required column and is missing' });
  }
  reportFaults(findings, faults);
  return faults.length === 0 ? header : null;
}

function formFaults(row: CsvRow): FileFault[] {
  const { line, cells, header } = row;
  if (cells.length !== header.size) {
    const message = `has ${cells.length} cells, the header has ${header.size}`;
    return [{ line, column: Math.min(cells.length, header.size), path: '', message }];
  }
  if (!cells.some((cell) => cell.includes(NOT_UTF8))) return [];
  const message = `is not UTF-8 text, or holds the character U+FFFD, which stands for lost ones`;
  return [...header].flatMap(([name, position]) =>
    cells[position]?.includes(NOT_UTF8) === true ? [faultAt(row, name, message)] : [],
  );
}

const QUOTE_MESSAGES: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'has a quote that is never closed',
  CSV_INVALID_CLOSING_QUOTE: 'has text behind a closing quote; a quote inside a quoted cell is written twice',
  INVALID_OPENING_QUOTE: 'has a quote inside a cell without quotes; quote the cell and write the inner quote twice',
  CSV_MAX_RECORD_SIZE: 'is longer than 1 MB; probably a quote is never closed',
};

export function quoteFault({ code, column }: Broken, line: number): FileFault {
  const message = `${QUOTE_MESSAGES[code] ?? `cannot be read (${code})`}; nothing below was read`;
  return { line, column: column + 1, path: '', message };
}
