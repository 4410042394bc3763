// Queries and changes of the partner's account and channels, for the settings pages.
import {
  useMutation,
  type UseMutationResult,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query';

import type { Account, AccountPatch } from '../../../../sdk/typescript/client.ts';
import type { Channels } from '../../../../src/portal/buyer/channels.schema.ts';
import { request, requestWithHeaders } from '../../portal-api.ts';

export type Setting = keyof AccountPatch;

/** The account with the ETag of the version that was read. */
export type AccountRead = { readonly account: Account; readonly etag: string | null };

const ACCOUNT_KEY = ['account', 'settings'];

export function useAccount(): UseQueryResult<AccountRead> {
  return useQuery({
    queryKey: ACCOUNT_KEY,
    queryFn: async ({ signal }): Promise<AccountRead> => {
      const { body, headers } = await requestWithHeaders('GET /portal/api/v1/buyer/account', { signal });
      return { account: body, etag: headers.get('etag') };
    },
  });
}

export function useChannels(refetchEveryMs?: number): UseQueryResult<Channels> {
  return useQuery({
    queryKey: ['account', 'channels'],
    queryFn: ({ signal }) => request('GET /portal/api/buyer/channels', { signal }),
    ...(refetchEveryMs === undefined ? {} : { refetchInterval: refetchEveryMs }),
  });
}

export type AccountChange = {
  readonly patch: AccountPatch;
  /** Changes the account only if it still has this ETag; null changes it unconditionally. */
  readonly expected: string | null;
};

export function useChangeAccount(): UseMutationResult<AccountRead, unknown, AccountChange> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ patch, expected }: AccountChange): Promise<AccountRead> => {
      const headers = expected === null ? {} : { 'if-match': expected };
      const response = await requestWithHeaders('PATCH /portal/api/v1/buyer/account', { body: patch, headers });
      return { account: response.body, etag: response.headers.get('etag') };
    },
    onSuccess: (changed) => {
      queries.setQueryData(ACCOUNT_KEY, changed);
      // Everything else about the account: channels, sheets, the audit log.
      void queries.invalidateQueries({
        queryKey: ['account'],
        predicate: ({ queryKey }) => queryKey[1] !== 'settings',
      });
    },
  });
}

/** The text of a setting's field. */
export function textOf(account: Account, name: Setting): string {
  const value = account[name];
  return typeof value === 'string' ? value : (value ?? []).join('\n');
}

/** The value for the text of a setting's field; empty text clears the setting. */
export function valueOf(name: Setting, text: string): string | string[] | null {
  if (name !== 'ccEmails') return text.trim() === '' ? null : text.trim();
  return text.split(/[\s,;]+/).filter((email) => email !== '');
}
