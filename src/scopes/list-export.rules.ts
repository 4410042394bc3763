// Writes the rows of a list as CSV with the columns of its table.
import { csvText, LINE_END } from '../deliveries/export/export-csv.rules.ts';

export type Cell = string | number | boolean | null;

/** The CSV columns of one column of the table, by name. */
type ColumnsOf<Row> = Readonly<Record<string, Readonly<Record<string, (row: Row) => Cell>>>>;

/** A response of the list's route: pages by a cursor or by number. */
export type ListPage = {
  readonly data: readonly unknown[];
  readonly next?: string | null;
  readonly page?: number;
  readonly pageSize?: number;
  readonly total?: number;
};

export type ExportedList = {
  /** The list's own route; `:name` stands for a parameter of the query. */
  readonly path: string;
  /** The parameter for `next`. */
  readonly cursor: 'before' | 'after' | null;
  /** Parameters for larger pages than those that people read, where the route has one. */
  readonly largePage: Readonly<Record<string, string>>;
  readonly pageOf: (body: unknown) => ListPage;
  readonly idOf: (row: unknown) => string;
  /** Names of the CSV columns by column of the table. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
  readonly cellsOf: (row: unknown, columns: readonly string[]) => readonly Cell[];
};

/** `exportedList<ListedLead>()({ path, idOf, columns })`. */
export function exportedList<Row>() {
  return ({
    path,
    cursor = null,
    largePage = {},
    pageOf = (body: ListPage) => body,
    idOf,
    columns,
  }: {
    readonly path: string;
    readonly cursor?: ExportedList['cursor'];
    readonly largePage?: ExportedList['largePage'];
    readonly pageOf?: (body: never) => ListPage;
    readonly idOf: (row: Row) => string;
    readonly columns: ColumnsOf<Row>;
  }): ExportedList => ({
    ...{ path, cursor, largePage },
    pageOf: (body) => pageOf(body as never),
    idOf: (row) => idOf(row as Row),
    columns: Object.fromEntries(Object.entries(columns).map(([key, cells]) => [key, Object.keys(cells)])),
    cellsOf: (row, chosen) =>
      chosen.flatMap((key) => Object.values(columns[key] ?? {}).map((cell) => cell(row as Row))),
  });
}

/** The columns in the table's order; unknown keys are those of columns without data. */
export function chosenColumns(list: ExportedList, text: string | undefined): readonly string[] {
  return text === undefined
    ? Object.keys(list.columns)
    : text.split(',').filter((key) => Object.hasOwn(list.columns, key));
}

export function headerLine(list: ExportedList, columns: readonly string[]): string {
  return line(columns.flatMap((key) => list.columns[key] ?? []));
}

export function line(cells: readonly Cell[]): string {
  return cells.map((cell) => (typeof cell === 'string' ? csvText(cell) : String(cell ?? ''))).join(',') + LINE_END;
}

/** The query of the page after this one; null after the last. */
export function nextQuery(list: ExportedList, query: URLSearchParams, page: ListPage): URLSearchParams | null {
  const following = new URLSearchParams(query);
  if (list.cursor !== null) {
    if (page.next === null || page.next === undefined) return null;
    following.set(list.cursor, page.next);
    return following;
  }
  const { page: number = 1, pageSize = page.data.length, total = 0 } = page;
  if (page.data.length === 0 || number * pageSize >= total) return null;
  following.set('page', String(number + 1));
  return following;
}

/** An amount with two decimals in every line, so that a column reads as one kind of number. */
export function amount(value: number | null): string {
  return value === null ? '' : value.toFixed(2);
}
