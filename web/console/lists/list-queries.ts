// The requests of the console's pages of lists.
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';

import type { ListPage, ShownList } from '../../../src/scopes/lists.schema.ts';
import type { ListActions } from '../../ui/lists/list-parts.tsx';
import { request } from '../console-api.ts';

export function useLists(query: { readonly search: string; readonly page: number }): UseQueryResult<ListPage> {
  return useQuery({
    queryKey: ['configuration', 'lists', query],
    queryFn: ({ signal }) => request('GET /console/api/lists', { query, signal }),
    placeholderData: keepPreviousData,
  });
}

export function useList(listId: string): UseQueryResult<ShownList> {
  return useQuery({
    queryKey: ['configuration', 'lists', 'one', listId],
    queryFn: ({ signal }) => request('GET /console/api/lists/:listId', { params: { listId }, signal }),
  });
}

export function actionsOf(listId: string): ListActions {
  const loadOf = (loadId: number) => ({ listId, loadId: String(loadId) });
  const params = { listId };
  return {
    begin: (body) => request('POST /console/api/lists/:listId/loads', { params, body }),
    part: (loadId, body, idempotencyKey) =>
      request('POST /console/api/lists/:listId/loads/:loadId/parts', { params: loadOf(loadId), body, idempotencyKey }),
    finish: (loadId, parts, idempotencyKey) =>
      request('POST /console/api/lists/:listId/loads/:loadId/finish', {
        params: loadOf(loadId),
        body: { parts },
        idempotencyKey,
      }),
    discard: (loadId) => request('POST /console/api/lists/:listId/loads/:loadId/discard', { params: loadOf(loadId) }),
    check: (value) => request('POST /console/api/lists/:listId/check', { params, body: { value } }),
    removeValue: (value) =>
      request('POST /console/api/lists/:listId/remove-values', { params, body: { values: [value] } }),
    remove: () => request('POST /console/api/lists/:listId/remove', { params }),
  };
}
