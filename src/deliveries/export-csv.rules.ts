// Deliveries as the text of a CSV file: RFC 4180 with CRLF, and nothing in it that a spreadsheet would run (contract 6, GET export).
import { stringify } from 'csv-stringify/sync';

import { utcDay } from '../base/time.ts';
import { type Cell, columnNames, moneyColumns } from './delivery-columns.rules.ts';

const LINE_END = '\r\n';
const isMoney = columnNames.map((name) => moneyColumns.has(name));

export const csvHeader = columnNames.join(',') + LINE_END;

/** Cells in the order of `columnNames`. Joined here, because nearly none needs more and the library takes five times as long. */
export function csvLine(cells: readonly Cell[]): string {
  let line = '';
  for (const [index, cell] of cells.entries()) {
    if (index > 0) line += ',';
    if (cell === null) continue;
    if (typeof cell === 'string') line += quoted(guarded(cell));
    // At most two decimals, so that nothing is rounded away.
    else line += typeof cell === 'number' && isMoney[index] === true ? cell.toFixed(2) : String(cell);
  }
  return line + LINE_END;
}

const NEEDS_QUOTES = /[",\r\n]/;

function quoted(text: string): string {
  return NEEDS_QUOTES.test(text) ? stringify([[text]], { eof: false }) : text;
}

// What spreadsheets take for the beginning of a formula, with the full-width and small forms that some of them read as the same, after
// whatever they skip to get there; and what makes some of them begin a cell anew.
const FORMULA =
  /^(?:[\t\r\n]|[\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800]*[=+\-@＝＋－＠﹦﹢﹣﹫])/u;
// What begins like one and is none. Anything in front of a phone number would break the reader's import.
const HARMLESS = /^(?:\+[1-9]\d{6,14}|-?\d+(?:\.\d+)?)$/;
const PLAIN_START = /^[A-Za-z0-9]/;

/** The text, with `'` in front where a spreadsheet would run it: it then shows the text. */
export function guarded(text: string): string {
  if (PLAIN_START.test(text) || !FORMULA.test(text) || HARMLESS.test(text)) return text;
  return `'${text}`;
}

export type FileDays = { readonly from: Date | null; readonly to: Date | null; readonly today: Date };

/** Names the UTC days that the file is about; one without a first day has everything until its last. */
export function csvFileName({ from, to, today }: FileDays): string {
  const last = to ?? (from !== null && from > today ? from : today);
  const first = from === null ? 'until' : utcDay(from);
  return `deliveries_${first}_${utcDay(last)}.csv`;
}
