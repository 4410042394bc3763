// Reads a CSV file as a stream of rows with their lines, and reports what is wrong with its form (contract 7.10).
import { pipeline, Readable } from 'node:stream';

import { parse } from 'csv-parse';

import { trimmed } from '../base/text.ts';
import { unknownName } from '../marketplace-file/nearest-name.rules.ts';
import type { FileFault } from '../marketplace-file/marketplace-file.ts';
import { type CsvForm, csvFormOf, isSeparatorLine, knownColumn } from './csv-form.rules.ts';
import { type CsvRow, faultAt, type Header } from './csv-row.rules.ts';
import { type Findings, rejectRow, reportFaults } from './findings.ts';

export type CsvColumns = {
  readonly known: readonly string[];
  readonly required: readonly string[];
  /** For a file without a header: the columns by position, from its first row, or what is wrong with them. */
  readonly byPosition?: ((first: readonly string[]) => readonly string[] | string) | null;
};

/** A column by position that is not read. */
const SKIPPED = '-';

/** How many cells of a row are read; those behind them are empty. */
type Read = { readonly header: Header; readonly width: number };

/** Rows that are handled together, and for sold leads committed together. */
const BATCH_ROWS = 2500;
/** A missing quote would make the rest of the file one row, and hold it in memory. */
const ROW_BYTES_MAX = 1_000_000;
/** Of a row: many times as many as any file has. Each takes time, and each unknown name of a header is compared with all known ones. */
const CELLS_MAX = 1000;
/** What the decoder writes for bytes that are not UTF-8. */
const NOT_UTF8 = '\ufffd';

/**
 * RFC 4180 with a header, in UTF-8 with or without a byte order mark, lines ending with CRLF, LF or CR; semicolons and tabs separate as well. Yields up to `BATCH_ROWS` rows at a
 * time; rows with an error are reported and left out. Ends early after an error in the header, a row with too many cells, or a quote without
 * its counterpart.
 */
export async function* readCsv(
  source: Readable,
  columns: CsvColumns,
  findings: Findings,
): AsyncGenerator<readonly CsvRow[]> {
  const { records, broken } = await openRows(source);
  let known: Read | null = null;
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
    if (cells.every((cell) => cell === '') || (read === 1 && isSeparatorLine(cells))) continue;
    if (known === null) {
      known = readHeader(cells, { line, columns, findings });
      if (known === null) return;
      if ((columns.byPosition ?? null) === null) continue;
    }
    findings.rows += 1;
    const row = { line, cells, header: known.header };
    const faults = formFaults(row, known.width);
    if (faults.length > 0) rejectRow(findings, faults);
    else rows.push(row);
    if (rows.length < BATCH_ROWS) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
  if (broken.first !== null) reportFaults(findings, [quoteFault(broken.first, next)]);
  else if (known === null) {
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
function openParser(source: Readable, { separator, lineEnds }: CsvForm): Parsed {
  const broken: { first: Broken | null } = { first: null };
  const parser = parse({
    bom: true,
    delimiter: separator,
    record_delimiter: [...lineEnds],
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

/** The rows of a file, whose form shows in its beginning. */
export async function openRows(source: Readable): Promise<Parsed> {
  const { start, whole } = await peek(source);
  // Nothing else would close a file of which not everything is read.
  whole.once('close', () => source.destroy());
  return openParser(whole, csvFormOf(start));
}

/** More than a header needs. */
const START_BYTES = 64 * 1024;

/** The first part of the text, and all of it. */
async function peek(source: Readable): Promise<{ readonly start: string; readonly whole: Readable }> {
  const chunks = source.iterator() as AsyncIterator<Buffer | string, undefined>;
  const parts: Buffer[] = [];
  let bytes = 0;
  while (bytes < START_BYTES) {
    const { done, value } = await chunks.next();
    if (done === true) break;
    const part = typeof value === 'string' ? Buffer.from(value) : value;
    parts.push(part);
    bytes += part.length;
  }
  async function* all(): AsyncGenerator<Buffer | string> {
    yield* parts;
    for (;;) {
      const { done, value } = await chunks.next();
      if (done === true) return;
      yield value;
    }
  }
  return {
    start: Buffer.concat(parts)
      .toString('utf8')
      .replace(/^\ufeff/, ''),
    whole: Readable.from(all()),
  };
}

/** Line breaks inside of quotes. */
export function breaksIn(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => sum + (/[\r\n]/.test(cell) ? cell.split(/\r\n|\r|\n/).length - 1 : 0), 0);
}

function readHeader(
  names: readonly string[],
  {
    line,
    columns: { known, required, byPosition },
    findings,
  }: { line: number; columns: CsvColumns; findings: Findings },
): Read | null {
  const header = new Map<string, number>();
  const faults: FileFault[] = [];
  const positions = byPosition?.(names) ?? null;
  if (typeof positions === 'string') {
    reportFaults(findings, [{ line, column: 1, path: '', message: positions }]);
    return null;
  }
  const cells = positions ?? names;
  // Spreadsheets write empty columns behind the last one.
  const width = positions === null ? cells.findLastIndex((cell) => cell.trim() !== '') + 1 : cells.length;
  for (const [position, written] of cells.slice(0, width).entries()) {
    if (positions !== null && written === SKIPPED) continue;
    const text = trimmed(written);
    const name = knownColumn(text, known) ?? text;
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
  return faults.length === 0 ? { header, width } : null;
}

function formFaults(row: CsvRow, width: number): FileFault[] {
  const { line, cells, header } = row;
  if (cells.length < width || cells.slice(width).some((cell) => cell.trim() !== '')) {
    const message = `has ${cells.length} cells, the header has ${width}`;
    return [{ line, column: Math.min(cells.length, width), path: '', message }];
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
