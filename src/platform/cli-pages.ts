// Prints the lists of the command line page by page, with the options --limit, --after and --all (contract 7.3).
import { strict as assert } from 'node:assert';

import { type Command, InvalidArgumentError, Option } from 'commander';

import { type IdKind, type IdOf, typeId, uuidOf } from '../base/ids.ts';
import { countArgument } from './cli.ts';
import type { CliOutput, CliTable } from './cli-output.ts';

/** The most rows on one page; --all prints everything. */
export const LIMIT_MAX = 1000;

/** A position after a row, so that rows added or deleted between two pages do not move other rows to another page. */
export type Cursor<Row, Position> = {
  readonly of: (row: Row) => string;
  /** Null for text that is not a cursor of this list. */
  readonly read: (text: string) => Position | null;
};

export type PageOptions<Position> = { readonly limit: number; readonly after?: Position; readonly all?: true };

export type PagedList<Row, Position> = {
  readonly cursor: Cursor<Row, Position>;
  /** The first `limit` rows after `after`, or of the list; fewer only at its end. */
  readonly read: (page: { readonly after: Position | null; readonly limit: number }) => Promise<readonly Row[]>;
  readonly json: (row: Row) => object;
  readonly columns: CliTable['columns'];
  readonly cells: (row: Row) => CliTable['rows'][number];
  readonly empty?: string;
};

/** The cursor of lists ordered by id. `id` returns the uuid. */
export function idCursor<Row, Kind extends IdKind>(kind: Kind, id: (row: Row) => IdOf[Kind]): Cursor<Row, IdOf[Kind]> {
  return { of: (row) => typeId(kind, id(row)), read: (text) => uuidOf(kind, text) };
}

/** The cursor of lists ordered by key or operator name. */
export function nameCursor<Row>(name: (row: Row) => string): Cursor<Row, string> {
  return { of: name, read: (text) => (/^[a-z0-9][a-z0-9._-]{0,62}$/.test(text) ? text : null) };
}

/** `limit` is the default page size. */
export function addPageOptions(
  command: Command,
  { cursor, limit }: { readonly cursor: Pick<Cursor<never, unknown>, 'read'>; readonly limit: number },
): Command {
  const positionArgument = (text: string): unknown => {
    const position = cursor.read(text);
    if (position === null) throw new InvalidArgumentError('It must be the cursor at the end of a page of this list.');
    return position;
  };
  return command
    .option('--limit <n>', `maximum number of rows, up to ${LIMIT_MAX}`, countArgument(1, LIMIT_MAX), limit)
    .option('--after <cursor>', 'start after this cursor, which the previous page ended with', positionArgument)
    .addOption(new Option('--all', 'print all rows, one JSON object per line').conflicts('limit'));
}

export async function printPages<Row, Position>(
  out: CliOutput,
  { limit, after: given, all }: PageOptions<Position>,
  list: PagedList<Row, Position>,
): Promise<void> {
  const after = given ?? null;
  if (all === true) return printAll(out, after, list);
  const found = await list.read({ after, limit: limit + 1 });
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  const next = found.length > limit && last !== undefined ? list.cursor.of(last) : null;
  const { columns, empty } = list;
  out.print({
    json: { data: rows.map((row) => list.json(row)), ...(next === null ? {} : { next }) },
    text: {
      columns,
      rows: rows.map((row) => list.cells(row)),
      ...(empty === undefined ? {} : { empty }),
      ...(next === null ? {} : { note: `More rows: --after ${next} shows the next page, --all prints everything.` }),
    },
  });
}

/** Holds one page in memory, and reads the next one when the output has been taken. */
async function printAll<Row, Position>(
  out: CliOutput,
  start: Position | null,
  list: PagedList<Row, Position>,
): Promise<void> {
  let after = start;
  for (;;) {
    const rows = await list.read({ after, limit: LIMIT_MAX });
    const last = rows.at(-1);
    if (last === undefined || !(await out.printLines(rows.map((row) => list.json(row))))) return;
    if (rows.length < LIMIT_MAX) return;
    after = list.cursor.read(list.cursor.of(last));
    assert(after !== null, 'a list reads its own cursors');
  }
}
