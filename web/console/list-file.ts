// The CSV files of the console's lists.
import { fileQuery, type FileOf } from '../ui/list-file.ts';
import { download } from './console-api.ts';

/** `query` and `search` are those of the list's own request. */
export function listFile(list: string, query: object, search = ''): FileOf {
  return (shown) =>
    download('GET /console/api/exports/:list', { params: { list }, query: fileQuery(query, shown), search });
}
