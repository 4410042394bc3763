// The saved views of lists: how they are read and written, and what of a list is in one.
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';

import type { ListView, ListViewName, ListViews, NewListView } from '../../src/list-views/list-views.schema.ts';
import { createApi } from './api.ts';
import { type Filters, parseSearch, queryText, type ValuesOf } from './filters.ts';

const { request } = createApi<{
  'GET /:area/api/list-views': { response: ListViews };
  'POST /:area/api/list-views': { body: NewListView; response: ListView };
  'PUT /:area/api/list-views/:viewId': { body: ListViewName; response: ListView };
  'DELETE /:area/api/list-views/:viewId': object;
}>();

const KEY = ['account', 'list-views'];

export type ListViewsApi = {
  readonly save: (view: NewListView) => Promise<unknown>;
  readonly rename: (view: ListView, name: string) => Promise<unknown>;
  readonly remove: (view: ListView) => Promise<unknown>;
};

/** Of the application that is open: the portal or the console. */
export function useListViewsApi() {
  const queries = useQueryClient();
  const area = useRouter().basepath.replaceAll('/', '');
  /** Reads the views anew even if the change failed: it may have been made all the same. */
  const change = async (changed: Promise<unknown>): Promise<void> => {
    try {
      await changed;
    } finally {
      await queries.invalidateQueries({ queryKey: KEY });
    }
  };
  const api: ListViewsApi = {
    save: (body) => change(request('POST /:area/api/list-views', { params: { area }, body })),
    rename: ({ id: viewId }, name) =>
      change(request('PUT /:area/api/list-views/:viewId', { params: { area, viewId }, body: { name } })),
    remove: ({ id: viewId }) => change(request('DELETE /:area/api/list-views/:viewId', { params: { area, viewId } })),
  };
  const views = queryOptions({
    queryKey: KEY,
    queryFn: ({ signal }) => request('GET /:area/api/list-views', { params: { area }, signal }),
  });
  return { api, views };
}

/** The filters and the order as the query of a view: neither the page nor what may be personal data. */
export function viewQuery(filters: Filters, values: Readonly<Record<string, unknown>>): string {
  const kept: Record<string, string> = {};
  for (const [name, { write, isPosition, isPrivate }] of Object.entries(filters))
    if (isPosition !== true && isPrivate !== true && name in values) kept[name] = write(values[name] as never);
  return queryText(kept).replace(/^\?/, '');
}

/** Of each filter the value in the view, or the default. */
export function viewValues<Of extends Filters>(filters: Of, query: string): Partial<ValuesOf<Of>> {
  const texts = parseSearch(query);
  const values = Object.entries(filters).flatMap(([name, { read, isPosition, isPrivate }]) =>
    isPosition === true ? [] : [[name, read(isPrivate === true ? undefined : texts[name])]],
  );
  return Object.fromEntries(values) as Partial<ValuesOf<Of>>;
}

/** Whether something is set that a view does not keep. */
export function hasPrivate(filters: Filters, values: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(filters).some(([name, { isPrivate }]) => isPrivate === true && Boolean(values[name]));
}
