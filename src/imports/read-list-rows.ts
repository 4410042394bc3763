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

export type ListRows = Pick<LoadOptions, 'hashed' | 'expiresAt'> & { readonly kind: ListKind };

/** Less than a millisecond of work. */
const ROWS_BETWEEN_RESTS = 64;

/** Yields some thousand entries at a time; rows with an error are reported and left out. */
export async function* readListRows(
  source: Readable,
  list: ListRows,
  findings: Findings,
  rest: Rest = withoutRest,
): AsyncGenerator<NewEntry[]> {
  const known = [list.kind, VALUE, EXPIRES, ...(list.kind === 'phone' ? [COUNTRY] : [])];
  const columns = { known, required: [] };
  for await (const rows of readCsv(source, columns, findings)) {
    const column = [VALUE, list.kind].find((name) => rows[0]?.header.has(name));
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

function readValue(row: CsvRow, text: string, { kind, hashed }: Pick<ListRows, 'kind' | 'hashed'>): ListValue | null {
  const value = readListValue(kind, text, { hashed });
  if (hashed || value?.isHash === true || cellOf(row, COUNTRY) === '') return value;
  const number = readPhoneCell(row, text)?.number ?? null;
  return number === null ? null : { isHash: false, text: number };
}

type ReadRow = { readonly entry: NewEntry; readonly fault: null } | { readonly entry: null; readonly fault: FileFault };

function readRow(row: CsvRow, column: string, { kind, hashed, expiresAt }: ListRows): ReadRow {
  if (!isKnownCountry(row)) return { entry: null, fault: faultAt(row, COUNTRY, COUNTRY_RULE) };
  const value = readValue(row, cellOf(row, column), { kind, hashed });
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
