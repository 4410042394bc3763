// Reads the rows of a list from CSV: a column with the values, and one for when each expires (contract 15.4).
import type { Readable } from 'node:stream';

import { hashOfValue } from '../lists/list-hash.ts';
import { readExpiry } from '../lists/list-part.rules.ts';
import { hashRule, type ListValue, readListValue, VALUE_RULES } from '../lists/list-value.rules.ts';
import type { ListKind, LoadOptions, NewEntry } from '../lists/list.ts';
import type { FileFault } from '../marketplace-file/marketplace-file.ts';
import { type Rest, withoutRest } from '../platform/time-slices.ts';
import { cellOf, type CsvRow, faultAt } from './csv-row.rules.ts';
import { type Findings, rejectRow, reportFaults } from './findings.ts';
import { COUNTRY, COUNTRY_RULE, isKnownCountry, readPhoneCell } from './phone-cell.rules.ts';
import { readCsv } from './read-csv.ts';

/** The column of the values may have either name. */
const VALUE = 'value';
const EXPIRES = 'expires';
/** A phone number of North America in two columns. */
const AREA = 'area';
const NUMBER = 'number';
const AREA_CODE = /^[2-9]\d{2}$/;
const LOCAL_NUMBER = /^\d{3}[ .-]?\d{4}$/;

export type ListRows = Pick<LoadOptions, 'hashed' | 'expiresAt'> & {
  readonly kind: ListKind;
  /** Of a file without a header: its columns by position, or none where they show by themselves. */
  readonly positions?: readonly string[] | null;
};

/** Less than a millisecond of work. */
const ROWS_BETWEEN_RESTS = 64;

/** Yields some thousand entries at a time; rows with an error are reported and left out. */
export async function* readListRows(
  source: Readable,
  list: ListRows,
  findings: Findings,
  rest: Rest = withoutRest,
): AsyncGenerator<NewEntry[]> {
  const { positions = null } = list;
  const byPosition = positions === null ? null : (first: readonly string[]) => columnsOf(first, positions, list.kind);
  const columns = { known: listColumns(list.kind), required: [], byPosition };
  for await (const rows of readCsv(source, columns, findings)) {
    const column = [VALUE, list.kind, NUMBER].find((name) => rows[0]?.header.has(name));
    if (column === undefined) {
      const message = 'is a required column and is missing';
      reportFaults(findings, [{ line: 1, column: 1, path: list.kind, message }]);
      return;
    }
    const entries: NewEntry[] = [];
    for (const [index, row] of rows.entries()) {
      if (index % ROWS_BETWEEN_RESTS === 0) await rest();
      const { entry, fault } = readRow(row, column, list);
      if (fault === null) entries.push(entry);
      else rejectRow(findings, [fault]);
    }
    yield entries;
  }
}

function listColumns(kind: ListKind): string[] {
  return [kind, VALUE, EXPIRES, ...(kind === 'phone' ? [COUNTRY, AREA, NUMBER] : [])];
}

/** Columns by position show by themselves where there is one, or as in the files of the national do-not-call registry. */
function columnsOf(first: readonly string[], positions: readonly string[], kind: ListKind): readonly string[] | string {
  if (positions.length > 0) return positions;
  const [one = '', other = '', ...rest] = first.map((cell) => cell.trim());
  if (first.length === 1) return [kind];
  if (kind === 'phone' && rest.length === 0 && AREA_CODE.test(one) && LOCAL_NUMBER.test(other)) return [AREA, NUMBER];
  return `has ${first.length} columns: name them in their order with --columns, such as ${kind},${EXPIRES}`;
}

/** An area code in a column of its own is put in front of the number. */
function textOf(row: CsvRow, column: string): string {
  const text = cellOf(row, column);
  if (!row.header.has(AREA)) return text;
  const area = cellOf(row, AREA);
  return AREA_CODE.test(area) && LOCAL_NUMBER.test(text) ? `${area}${text}` : '';
}

function readValue(row: CsvRow, text: string, { kind, hashed }: Pick<ListRows, 'kind' | 'hashed'>): ListValue | null {
  const value = readListValue(kind, text, { hashed });
  if (hashed || value?.isHash === true || cellOf(row, COUNTRY) === '') return value;
  const number = readPhoneCell(row, text)?.number ?? null;
  return number === null ? null : { isHash: false, text: number };
}

type ReadRow = { readonly entry: NewEntry; readonly fault: null } | { readonly entry: null; readonly fault: FileFault };

function readRow(row: CsvRow, column: string, { kind, hashed, expiresAt }: ListRows): ReadRow {
  if (!isKnownCountry(row)) return { entry: null, fault: faultAt(row, COUNTRY, COUNTRY_RULE) };
  const value = readValue(row, textOf(row, column), { kind, hashed });
  if (value === null) {
    // The value is not quoted: it may be a contact.
    const rule = hashed ? hashRule(kind) : VALUE_RULES[kind];
    return { entry: null, fault: faultAt(row, column, rule) };
  }
  const text = cellOf(row, EXPIRES);
  const own = text === '' ? expiresAt : readExpiry(text);
  if (text !== '' && own === null) {
    const message = 'must be a time such as 2027-11-20T15:04:05Z, or a day such as 2027-11-20';
    return { entry: null, fault: faultAt(row, EXPIRES, message) };
  }
  return { entry: { hash: hashOfValue(value), expiresAt: own }, fault: null };
}
