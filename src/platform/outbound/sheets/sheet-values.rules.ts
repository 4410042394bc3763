// Reads what Google's API answers, and writes the ranges that it is asked about (contract 5.5).
import { isMembers, type Members } from '../../../base/members.ts';

/** The title of the spreadsheet's first sheet; null where the answer does not say. */
export function firstTitle(response: Members): string | null {
  const sheets = response['sheets'];
  const first: unknown = Array.isArray(sheets) ? sheets[0] : null;
  const properties = isMembers(first) ? first['properties'] : null;
  const title = isMembers(properties) ? properties['title'] : null;
  return typeof title === 'string' && title !== '' ? title : null;
}

/**
 * The values of a range that was asked for by columns: its first column, from the top, empty cells as empty texts. Null where the answer
 * is none; a range without values is an empty list.
 */
export function firstColumn(response: Members): readonly string[] | null {
  const { values = [] } = response;
  if (!Array.isArray(values)) return null;
  const column: unknown = (values as unknown[])[0] ?? [];
  return Array.isArray(column) ? column.map((cell) => (typeof cell === 'string' ? cell : '')) : null;
}

/** A range in A1 notation, as a part of a path. Quotes make every title a title, also one that looks like a cell. */
export function rangePath(title: string, cells: string): string {
  return encodeURIComponent(`'${title.replaceAll("'", "''")}'!${cells}`);
}
