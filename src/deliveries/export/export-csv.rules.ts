// Writes deliveries as CSV: RFC 4180 with CRLF, without text that a spreadsheet would run as a formula (contract 6.6).
import { stringify } from 'csv-stringify/sync';

import type { Narrowing } from '../narrowing.ts';
import { type Cell, columnNames, moneyColumns, ownColumnNames } from '../delivery-columns.rules.ts';

export const LINE_END = '\r\n';
const isMoney = columnNames.map((name) => moneyColumns.has(name));

/** `ownColumns`: names of own fields and of parts of the name, whose columns follow the others. */
export function csvHeader(ownColumns: readonly string[] = []): string {
  return [...columnNames, ...ownColumnNames(ownColumns)].join(',') + LINE_END;
}

/** Cells in the order of `columnNames`. Joined here, because few cells need quotes and the library takes five times as long. */
export function csvLine(cells: readonly Cell[]): string {
  let line = '';
  for (const [index, cell] of cells.entries()) {
    if (index > 0) line += ',';
    if (cell === null) continue;
    if (typeof cell === 'string') line += csvText(cell);
    // At most two decimals, so that nothing is rounded away.
    else line += typeof cell === 'number' && isMoney[index] === true ? cell.toFixed(2) : String(cell);
  }
  return line + LINE_END;
}

const NEEDS_QUOTES = /[",\r\n]/;

/** A text as a cell: without formulas, and quoted where needed. */
export function csvText(text: string): string {
  return quoted(escapeFormula(text));
}

function quoted(text: string): string {
  return NEEDS_QUOTES.test(text) ? stringify([[text]], { eof: false }) : text;
}

// The beginning of a formula in spreadsheets, including full-width and small forms, after characters that spreadsheets skip; and characters
// with which some spreadsheets start a new cell.
const FORMULA =
  /^(?:[\t\r\n]|[\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800]*[=+\-@＝＋－＠﹦﹢﹣﹫])/u;
// Begins like a formula but is none. A character in front of a phone number would break imports of the file.
const HARMLESS = /^(?:\+[1-9]\d{6,14}|-?\d+(?:\.\d+)?)$/;
const PLAIN_START = /^[A-Za-z0-9]/;

const SEPARATOR = /[;\t\r\n]/;
// Where a spreadsheet that splits lines at semicolons or tabs, or at line breaks inside quotes, would start another cell with a formula.
// The skipped characters contain no separator, so each character is examined for one separator only (linear time).
const INNER_FORMULA =
  /(?<=[;\t\r\n])(?=(?:(?![;\t\r\n])[\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u2800])*[=+\-@＝＋－＠﹦﹢﹣﹫])(?!(?:\+[1-9]\d{6,14}|-?\d+(?:\.\d+)?)(?:[;\t\r\n]|$))/gu;

/** Puts `'` in front of text that a spreadsheet would run, at the start or where it may split the text, so that it shows the text. */
export function escapeFormula(text: string): string {
  const inner = SEPARATOR.test(text) ? text.replaceAll(INNER_FORMULA, "'") : text;
  if (PLAIN_START.test(text) || !FORMULA.test(text) || HARMLESS.test(text)) return inner;
  return `'${inner}`;
}

/** Days are `YYYY-MM-DD`; `first` and `last` are the requested ones. `further`: names of the other filters. */
export type FileDays = {
  readonly first: string | null;
  readonly last: string | null;
  readonly today: string;
  readonly further?: readonly string[];
};

/** Contains the days of the file; without a first day the file has everything until its last. */
export function csvFileName({ first, last, today, further = [] }: FileDays): string {
  const end = last ?? (first !== null && first > today ? first : today);
  return `${['deliveries', first ?? 'until', end, ...further].join('_')}.csv`;
}

type FileFilter = {
  readonly status: string | null;
  readonly eventType: string | null;
  readonly narrowing?: Narrowing | null;
  readonly isSearch: boolean;
};

/** The filters of a file besides its days, for its name. A search text is left out, because it may name a contact. */
export function filterInFileName({ status, eventType, narrowing = null, isSearch }: FileFilter): string[] {
  // Sources are free text, which may be no part of a file name.
  const { source = null, state = null, offerKey = null, claim = null } = narrowing ?? {};
  const narrowed = [source === null ? null : 'source', state, offerKey, claim === null ? null : `claim ${claim}`];
  return [status, eventType, ...narrowed, isSearch ? 'search' : null].flatMap((word) =>
    word === null ? [] : [word.toLowerCase().replaceAll(' ', '-')],
  );
}
