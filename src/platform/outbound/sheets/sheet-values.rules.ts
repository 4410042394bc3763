// Parses responses of Google's Sheets API and formats ranges in A1 notation (contract 5.5).
import { isMembers, type Members } from '../../../base/json.ts';

/** The title of the spreadsheet's first sheet; null when the response has none. */
export function firstTitle(response: Members): string | null {
  const sheets = response['sheets'];
  const first: unknown = Array.isArray(sheets) ? sheets[0] : null;
  const properties = isMembers(first) ? first['properties'] : null;
  const title = isMembers(properties) ? properties['title'] : null;
  return typeof title === 'string' && title !== '' ? title : null;
}

/**
 * The first column of a range that was read by columns, from the top, with empty cells as empty strings. Null when the response is
 * malformed; a range without values is an empty list.
 */
export function firstColumn(response: Members): readonly string[] | null {
  const { values = [] } = response;
  if (!Array.isArray(values)) return null;
  const column: unknown = (values as unknown[])[0] ?? [];
  return Array.isArray(column) ? column.map((cell) => (typeof cell === 'string' ? cell : '')) : null;
}

/** A range in A1 notation, encoded for a path. Quotes mark the title as such, also when it looks like a cell. */
export function rangePath(title: string, cells: string): string {
  return encodeURIComponent(`'${title.replaceAll("'", "''")}'!${cells}`);
}
