// The requests of the portal's pages of a partner's exclusion lists.
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';

import type { ListPage, ShownList } from '../../../../src/scopes/lists.schema.ts';
import type { ListActions } from '../../../ui/lists/list-parts.tsx';
import { request } from '../../portal-api.ts';

export function useLists(query: { readonly search: string; readonly page: number }): UseQueryResult<ListPage> {
  return useQuery({
    queryKey: ['account', 'lists', query],
    queryFn: ({ signal }) => request('GET /portal/api/buyer/lists', { query, signal }),
    placeholderData: keepPreviousData,
  });
}

export function useList(listId: string): UseQueryResult<ShownList> {
  return useQuery({
    queryKey: ['account', 'lists', 'one', listId],
    queryFn: ({ signal }) => request('GET /portal/api/buyer/lists/:listId', { params: { listId }, signal }),
  });
}

export function actionsOf(listId: string): ListActions {
  const loadOf = (loadId: number) => ({ listId, loadId: String(loadId) });
  const params = { listId };
  return {
    begin: (body) => request('POST /portal/api/buyer/lists/:listId/loads', { params, body }),
    part: (loadId, body, idempotencyKey) =>
      request('POST /portal/api/buyer/lists/:listId/loads/:loadId/parts', {
        params: loadOf(loadId),
        body,
        idempotencyKey,
      }),
    finish: (loadId, parts, idempotencyKey) =>
      request('POST /portal/api/buyer/lists/:listId/loads/:loadId/finish', {
        params: loadOf(loadId),
        body: { parts },
        idempotencyKey,
      }),
    discard: (loadId) =>
      request('POST /portal/api/buyer/lists/:listId/loads/:loadId/discard', { params: loadOf(loadId) }),
    check: (value) => request('POST /portal/api/buyer/lists/:listId/check', { params, body: { value } }),
    removeValue: (value) =>
      request('POST /portal/api/buyer/lists/:listId/remove-values', { params, body: { values: [value] } }),
    remove: () => request('POST /portal/api/buyer/lists/:listId/remove', { params }),
  };
}
