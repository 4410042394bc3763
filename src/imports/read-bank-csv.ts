// Reads a bank's CSV file as a stream of lines, whatever its separator and the names of its columns (contract 7.11). The file is read twice: its
// layout shows in all of its lines only.
import type { Readable } from 'node:stream';

import { isCurrency } from '../base/amount-text.ts';
import type { FileFault } from '../marketplace-file/marketplace-file.ts';
import type { Rest } from '../platform/time-slices.ts';
import { bankColumns, type NamedColumns } from './bank-columns.rules.ts';
import type { DayOrder } from './bank-day.rules.ts';
import { type BankLayout, type Survey, surveyOf } from './bank-layout.rules.ts';
import { type BankLine, readBankLine } from './bank-line.rules.ts';
import { isSeparatorLine } from './csv-form.rules.ts';
import { breaksIn, openRows, quoteFault } from './read-csv.ts';

/** A line, or what is wrong with it. An error of the header, or a quote that is never closed, is the last one. */
export type BankRead =
  | { readonly ok: true; readonly value: BankLine }
  | { readonly ok: false; readonly faults: readonly FileFault[] };

export type BankCsv = {
  /** Returns the file from its beginning; called several times. */
  readonly open: () => Readable;
  readonly named: NamedColumns;
  /** Null: as the dates of the file show it. */
  readonly dayOrder: DayOrder | null;
  readonly currency: string;
  /** Between lines. */
  readonly rest: Rest;
};

/** A row takes some 0.05 ms. */
const ROWS_BETWEEN_RESTS = 20;
/** Of a row: many times as many as any bank has. */
const CELLS_MAX = 1000;
const NOT_UTF8 = '\ufffd';

type Row = { readonly line: number; readonly cells: readonly string[] };
type ReadRow = { readonly ok: true; readonly row: Row } | { readonly ok: false; readonly fault: FileFault };

/** Null if the file has no header that can be used; then reading it says why. */
export async function readBankLayout({ open, named, dayOrder, currency, rest }: BankCsv): Promise<BankLayout | null> {
  let survey: Survey | null = null;
  for await (const read of readRows(open(), rest)) {
    if (!read.ok) continue;
    if (survey !== null) {
      survey.take(read.row.cells);
      continue;
    }
    const found = bankColumns(read.row.cells, named);
    if (!found.ok) return null;
    survey = surveyOf(found.columns, currency, dayOrder);
  }
  return survey?.layout() ?? null;
}

export async function* readBankCsv(
  { open, named, currency, rest }: BankCsv,
  layout: BankLayout | null,
): AsyncGenerator<BankRead> {
  let isHeaderRead = false;
  let last = 1;
  for await (const read of readRows(open(), rest)) {
    if (!read.ok) {
      yield { ok: false, faults: [read.fault] };
      return;
    }
    const { line, cells } = read.row;
    last = line;
    if (layout === null) {
      const found = bankColumns(cells, named);
      const messages = found.ok ? ['is not the same file any more'] : found.messages;
      yield { ok: false, faults: messages.map((message) => ({ line, column: 1, path: '', message })) };
      return;
    }
    if (isHeaderRead) {
      yield lineOf(read.row, layout, currency);
      continue;
    }
    isHeaderRead = true;
    const other = layout.columns.stated.find((stated) => !isCurrency(stated.currency, currency));
    if (other === undefined) continue;
    const message = `names the currency ${other.currency}; the marketplace has ${currency}`;
    yield { ok: false, faults: [{ line, column: other.column + 1, path: '', message }] };
    return;
  }
  if (isHeaderRead) return;
  const message = 'is empty; its first line must name the columns';
  yield { ok: false, faults: [{ line: last, column: 1, path: '', message }] };
}

async function* readRows(source: Readable, rest: Rest): AsyncGenerator<ReadRow> {
  const { records, broken } = await openRows(source);
  let read = 0;
  let next = 1;
  for await (const cells of records) {
    if (read === broken.first?.records) break;
    read += 1;
    if (read % ROWS_BETWEEN_RESTS === 0) await rest();
    const line = next;
    if (cells.length > CELLS_MAX) {
      const message = `has ${cells.length} cells; at most ${CELLS_MAX} are read, and nothing below was`;
      yield { ok: false, fault: { line, column: 1, path: '', message } };
      return;
    }
    next += 1 + breaksIn(cells);
    if (read === 1 && isSeparatorLine(cells)) continue;
    if (cells.some((cell) => cell.trim() !== '')) yield { ok: true, row: { line, cells } };
  }
  if (broken.first !== null) yield { ok: false, fault: quoteFault(broken.first, next) };
}

function lineOf(row: Row, layout: BankLayout, currency: string): BankRead {
  const { line, cells } = row;
  const { width } = layout.columns;
  const fault = (column: number, message: string): FileFault => ({ line, column, path: '', message });
  // Some banks end each line with a separator, and some do so in the header only.
  if (Math.abs(cells.length - width) > 1) {
    return { ok: false, faults: [fault(1, `has ${cells.length} cells, the header has ${width}`)] };
  }
  const lost = cells.findIndex((cell) => cell.includes(NOT_UTF8));
  if (lost >= 0) return { ok: false, faults: [fault(lost + 1, 'is not UTF-8 text; save the file as UTF-8')] };
  const read = readBankLine(row, layout, currency);
  return read.ok ? read : { ok: false, faults: read.faults.map(({ column, message }) => fault(column, message)) };
}
