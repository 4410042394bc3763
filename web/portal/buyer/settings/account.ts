// The partner's account and channels as the settings pages ask for them and change them.
import {
  useMutation,
  type UseMutationResult,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query';

import type { Account, AccountPatch } from '../../../../sdk/typescript/client.ts';
import { read, readAnswer, sendAnswer } from '../../../ui/request.ts';

export type { Account };
export type Setting = keyof AccountPatch;

/** The account as it was read, and the tag by which the service knows whether it still is so. */
export type AccountRead = { readonly account: Account; readonly etag: string | null };

/** As GET /portal/api/buyer/channels answers. */
export type Channels = {
  readonly marketplaceName: string;
  /** The first is primary; none where the partner reads the API only. */
  readonly channels: readonly ChannelState[];
  readonly webhookDisabledAt: string | null;
  readonly signing: {
    readonly endsIn: string;
    readonly previous: { readonly endsIn: string; readonly validUntil: string } | null;
  } | null;
};

export type ChannelState = {
  readonly name: 'webhook' | 'email' | 'sms' | 'sheets' | 'sheets_script';
  readonly isPrimary: boolean;
  readonly setting: Setting;
  readonly isSet: boolean;
  readonly trouble: {
    readonly failures: number;
    readonly waitingSince: string | null;
    readonly lastError: string;
    readonly lastFailedAt: string;
  } | null;
};

const ACCOUNT = '/portal/api/v1/buyer/account';
const ACCOUNT_KEY = ['account', 'settings'];

export function useAccount(): UseQueryResult<AccountRead> {
  return useQuery({
    queryKey: ACCOUNT_KEY,
    queryFn: async ({ signal }): Promise<AccountRead> => {
      const { body, headers } = await readAnswer<Account>(ACCOUNT, signal);
      return { account: body, etag: headers.get('etag') };
    },
  });
}

export function useChannels(): UseQueryResult<Channels> {
  return useQuery({
    queryKey: ['account', 'channels'],
    queryFn: ({ signal }) => read<Channels>('/portal/api/buyer/channels', signal),
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
      const answer = await sendAnswer<Account>(ACCOUNT, { method: 'PATCH', body: patch, headers });
      return { account: answer.body, etag: answer.headers.get('etag') };
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
