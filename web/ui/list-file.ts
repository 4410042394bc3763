// The query of a list's CSV file: what the table shows, or its selected rows.
import type { ListExportQuery } from '../../src/scopes/list-export.schema.ts';
import { queryText, type QueryValues } from './filters.ts';
import type { ApiResponse } from './request.ts';

export type ShownInFile = {
  /** Keys of the columns, in order. */
  readonly columns: readonly string[];
  /** Keys of the selected rows; null for all rows of all pages. */
  readonly ids: readonly string[] | null;
  readonly isForExcel?: boolean;
};

/** Requests the file. */
export type FileOf = (shown: ShownInFile) => Promise<ApiResponse<Blob>>;

/** `query`: that of the list's own request. */
export function fileQuery(query: object, { columns, ids, isForExcel = false }: ShownInFile): ListExportQuery {
  return {
    query: queryText(query as QueryValues).replace(/^\?/, ''),
    columns: columns.join(','),
    ...(ids === null ? {} : { ids: ids.join(',') }),
    ...(isForExcel ? { for: 'excel' as const } : {}),
  };
}
