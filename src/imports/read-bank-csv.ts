// Reads a bank's CSV file as a stream of lines, whatever its separator and the names of its columns (contract 7.11).
import { Readable } from 'node:stream';

import type { FileFault } from '../marketplace-file/marketplace-file.ts';
import { type BankColumns, bankColumns, type NamedColumns, separatorOf } from './bank-columns.rules.ts';
import { type BankLine, readBankLine } from './bank-line.rules.ts';
import { breaksIn, openParser, quoteFault } from './read-csv.ts';

/** A line, or what is wrong with it. An error of the header, or a quote that is never closed, is the last one. */
export type BankRead =
  | { readonly ok: true; readonly value: BankLine }
  | { readonly ok: false; readonly faults: readonly FileFault[] };

export type BankCsvOptions = { readonly named: NamedColumns; readonly currency: string };

/** More than a header needs. */
const START_BYTES = 64 * 1024;
const NOT_UTF8 = '\ufffd';

export async function* readBankCsv(source: Readable, { named, currency }: BankCsvOptions): AsyncGenerator<BankRead> {
  const { start, whole } = await peek(source);
  const { records, broken } = openParser(whole, separatorOf(start));
  let columns: BankColumns | null = null;
  let read = 0;
  let next = 1;
  for await (const cells of records) {
    if (read === broken.first?.records) break;
    read += 1;
    const line = next;
    next += 1 + breaksIn(cells);
    if (cells.every((cell) => cell.trim() === '')) continue;
    if (columns === null) {
      const found = bankColumns(cells, named);
      if (!found.ok) {
        yield { ok: false, faults: found.messages.map((message) => ({ line, column: 1, path: '', message })) };
        return;
      }
      ({ columns } = found);
      continue;
    }
    yield lineOf({ line, cells }, columns, currency);
  }
  if (broken.first !== null) yield { ok: false, faults: [quoteFault(broken.first, next)] };
  else if (columns === null) {
    const message = 'is empty; its first line must name the columns';
    yield { ok: false, faults: [{ line: 1, column: 1, path: '', message }] };
  }
}

function lineOf(
  row: { readonly line: number; readonly cells: readonly string[] },
  columns: BankColumns,
  currency: string,
): BankRead {
  const { line, cells } = row;
  const fault = (column: number, message: string): FileFault => ({ line, column, path: '', message });
  // Some banks end each line with a separator, and some do so in the header only.
  if (Math.abs(cells.length - columns.width) > 1) {
    return { ok: false, faults: [fault(1, `has ${cells.length} cells, the header has ${columns.width}`)] };
  }
  const lost = cells.findIndex((cell) => cell.includes(NOT_UTF8));
  if (lost >= 0) return { ok: false, faults: [fault(lost + 1, 'is not UTF-8 text; save the file as UTF-8')] };
  const read = readBankLine(row, columns, currency);
  return read.ok ? read : { ok: false, faults: read.faults.map(({ column, message }) => fault(column, message)) };
}

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
