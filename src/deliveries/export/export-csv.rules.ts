// Deliveries as the text of a CSV file: RFC 4180 with CRLF, and nothing in it that a spreadsheet would run (contract 6.6).
import { stringify } from 'csv-stringify/sync';

import { type Cell, columnNames, moneyColumns } from '../delivery-columns.rules.ts';

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

const SEPARATOR = /[;\t\r\n]/;
// Where a spreadsheet that divides lines at semicolons or tabs, or breaks them inside of quotes, would begin another cell with a formula.
// What it skips to get there holds no separator, so that no character is looked at for more than one of them.
const INNER_FORMULA =
  /(?<=[;\t\r\n])(?=(?:(?![;\t\r\n])[\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800])*[=+\-@＝＋－＠﹦﹢﹣﹫])(?!(?:\+[1-9]\d{6,14}|-?\d+(?:\.\d+)?)(?:[;\t\r\n]|$))/gu;

/** The text, with `'` in front of whatever a spreadsheet would run, at its start or where it may divide it: it then shows the text. */
export function guarded(text: string): string {
  const inner = SEPARATOR.test(text) ? text.replaceAll(INNER_FORMULA, "'") : text;
  if (PLAIN_START.test(text) || !FORMULA.test(text) || HARMLESS.test(text)) return inner;
  return `'${inner}`;
}

/** Days `YYYY-MM-DD`, the first and last that were asked for; `further` what else narrows the file. */
export type FileDays = {
  readonly first: string | null;
  readonly last: string | null;
  readonly today: string;
  readonly further?: readonly string[];
};

/** Names the days that the file is about; one without a first day has everything until its last. */
export function csvFileName({ first, last, today, further = [] }: FileDays): string {
  const end = last ?? (first !== null && first > today ? first : today);
  return `${['deliveries', first ?? 'until', end, ...further].join('_')}.csv`;
}

type FileFilter = {
  readonly status: string | null;
  readonly eventType: string | null;
  readonly isSearch: boolean;
};

/** What narrows a file beside its days, for its name: that there was a search, and not what for, which names a person. */
export function filterInFileName({ status, eventType, isSearch }: FileFilter): string[] {
  return [status, eventType, isSearch ? 'search' : null].flatMap((word) =>
    word === null ? [] : [word.toLowerCase().replaceAll(' ', '-')],
  );
}
