// A row of an imported CSV file: its cells by column, and errors at them (contract 7.10).
import { trimmed } from '../base/text.ts';
import type { FileFault } from '../marketplace-file/marketplace-file.ts';

/** Positions from 0 by the name of the column. */
export type Header = ReadonlyMap<string, number>;
/** `line` counts from 1 and is the first of a row whose quoted cells hold line breaks. */
export type CsvRow = { readonly line: number; readonly cells: readonly string[]; readonly header: Header };

/** The trimmed cell; empty if the file has no such column. */
export function cellOf({ cells, header }: CsvRow, column: string): string {
  return trimmed(cells[header.get(column) ?? -1] ?? '');
}

/** `column` of the error is the number of the cell in its row, from 1. */
export function faultAt({ line, header }: Omit<CsvRow, 'cells'>, column: string, message: string): FileFault {
  return { line, column: (header.get(column) ?? 0) + 1, path: column, message };
}
