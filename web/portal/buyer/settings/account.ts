// The partner's account and channels as the settings pages ask for them and change them.
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

/** The account as it was read, and the tag by which the service knows whether it still is so. */
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

export function useChannels(): UseQueryResult<Channels> {
  return useQuery({
    queryKey: ['account', 'channels'],
    queryFn: ({ signal }) => request('GET /portal/api/buyer/channels', { signal }),
  });
}

export type AccountChange = {
  readonly patch: AccountPatch;
  /** Nothing is changed unless the account still has this tag; null changes it whatever it is now. */
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
      // Whatever else is told of the account: channels, sheets, the audit log.
      void queries.invalidateQueries({
        queryKey: ['account'],
        predicate: ({ queryKey }) => queryKey[1] !== 'settings',
      });
    },
  });
}

/** What stands in the field of a setting. */
export function textOf(account: Account, name: Setting): string {
  const value = account[name];
  return typeof value === 'string' ? value : (value ?? []).join('\n');
}

/** The value that the text in a setting's field stands for; nothing clears it. */
export function valueOf(name: Setting, text: string): string | string[] | null {
  if (name !== 'ccEmails') return text.trim() === '' ? null : text.trim();
  return text.split(/[\s,;]+/).filter((email) => email !== '');
}
