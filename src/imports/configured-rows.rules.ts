// The columns of partners and suppliers in CSV, and the entries of the marketplace file that rows stand for (contract 7.6, 7.10).
import { isMembers, type JsonValue } from '../base/json.ts';
import type { MemberSchema } from '../marketplace/configured-form.rules.ts';
import { writtenSchema } from '../marketplace-file/file-schema.rules.ts';
import { cellOf, type CsvRow } from './csv-row.rules.ts';

export type ConfiguredKind = 'partners' | 'suppliers';
export type Entry = Record<string, JsonValue>;
/** The schema of each column by its name: that of the member, with dots for nested ones. */
export type ConfiguredColumns = ReadonlyMap<string, MemberSchema>;

// An offer has lists and maps of its own; the marketplace file is the place for them.
const NOT_IN_CSV: ReadonlySet<string> = new Set(['offers']);

export function configuredColumns(kind: ConfiguredKind): ConfiguredColumns {
  return new Map(columnsIn(writtenSchema.properties?.[kind]?.items ?? {}, ''));
}

function columnsIn(schema: MemberSchema, prefix: string): Array<[string, MemberSchema]> {
  return Object.entries(membersOf(schema) ?? {}).flatMap(([name, member]): Array<[string, MemberSchema]> => {
    if (prefix === '' && NOT_IN_CSV.has(name)) return [];
    const column = `${prefix}${name}`;
    return membersOf(member) === undefined ? [[column, member]] : columnsIn(member, `${column}.`);
  });
}

function membersOf({ properties, anyOf }: MemberSchema): MemberSchema['properties'] {
  return properties ?? anyOf?.find((branch) => branch.properties !== undefined)?.properties;
}

export type CellFault = { readonly column: string; readonly message: string };

/**
 * The entry that a row states, on top of `current`, the members that it has now: an empty cell changes nothing, also inside of a nested
 * member. Values that do not fit their schema are passed on, so that the marketplace file's own check reports them.
 */
export function entryOfRow(
  row: CsvRow,
  columns: ConfiguredColumns,
  current: Readonly<Record<string, unknown>>,
): { readonly entry: Entry; readonly faults: readonly CellFault[] } {
  // A file that states no settings would take back that it stated some before (contract 7.5).
  const entry = ('settings' in current ? { settings: current['settings'] } : {}) as Entry;
  const faults: CellFault[] = [];
  for (const [column, schema] of columns) {
    const text = cellOf(row, column);
    if (text === '') continue;
    const value = valueOfCell(schema, text);
    if (value === null) faults.push({ column, message: 'must be a JSON object such as {"Mobile": "phone"}' });
    else setMember(entry, { path: column.split('.'), value }, current);
  }
  return { entry, faults };
}

type Setting = { readonly path: readonly string[]; readonly value: JsonValue };

function setMember(into: Entry, { path, value }: Setting, current: Readonly<Record<string, unknown>>): void {
  const [name = '', ...rest] = path;
  if (rest.length === 0) {
    into[name] = value;
    return;
  }
  const before = isMembers(current[name]) ? current[name] : {};
  const inner = { ...(isMembers(into[name]) ? into[name] : before) } as Entry;
  setMember(inner, { path: rest, value }, before);
  into[name] = inner;
}

const NUMBER = /^-?\d{1,15}(?:\.\d+)?$/;
// `1,250.00` and `1,250,000`; `1,250` alone may have decimals.
const WITH_THOUSANDS = /^-?[1-9]\d{0,2}(?:(?:,\d{3})+\.\d+|(?:,\d{3}){2,})$/;

/** Null if the cell should hold an object and does not. */
function valueOfCell(schema: MemberSchema, text: string): JsonValue | null {
  const branches = schema.anyOf ?? [schema];
  const isOf = (...types: readonly string[]): boolean => branches.some(({ type = '' }) => types.includes(type));
  if (isOf('number', 'integer')) {
    const plain = WITH_THOUSANDS.test(text) ? text.replaceAll(',', '') : text;
    if (NUMBER.test(plain)) return Number(plain);
  }
  if (isOf('array')) {
    const items = text.split(';').map((item) => item.trim());
    return items.filter((item) => item !== '');
  }
  return isOf('object') ? parsedObject(text) : text;
}

function parsedObject(text: string): JsonValue | null {
  try {
    const value: unknown = JSON.parse(text);
    return isMembers(value) ? (value as Entry) : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** The column of a member's path such as `channels[1]` or `fieldMapping.Mobile`; the path itself if no column has it. */
export function columnOfPath(path: string, columns: ConfiguredColumns): string {
  const isWithin = (column: string): boolean =>
    path === column || path.startsWith(`${column}.`) || path.startsWith(`${column}[`);
  return [...columns.keys()].find(isWithin) ?? path;
}
