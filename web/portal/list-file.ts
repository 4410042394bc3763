// The CSV files of the portal's lists.
import { fileQuery, type FileOf } from '../ui/list-file.ts';
import { download } from './portal-api.ts';

/** `query` and `search` are those of the list's own request. */
export function partnerListFile(list: string, query: object, search = ''): FileOf {
  return (shown) =>
    download('GET /portal/api/buyer/exports/:list', { params: { list }, query: fileQuery(query, shown), search });
}

export function supplierListFile(list: string, query: object, search = ''): FileOf {
  return (shown) =>
    download('GET /portal/api/supplier/exports/:list', { params: { list }, query: fileQuery(query, shown), search });
}
