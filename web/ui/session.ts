// Who is signed in, as the service says; shared by both applications.
import {
  useMutation,
  type UseMutationResult,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useEffect } from 'react';

import { tellFailureAs } from './notify.tsx';
import { read, send, whenSignedOut } from './request.ts';

export type SessionAnswer<Session> = { readonly session: Session | null; readonly isDemo: boolean };

const KEY = ['session'];

/** `base` is `/portal` or `/console`. Not asked anew by itself: any answer of 401 ends the session here. */
export function useSession<Session>(base: string): UseQueryResult<SessionAnswer<Session>> {
  const queries = useQueryClient();
  useEffect(() => {
    whenSignedOut(() => {
      queries.setQueryData<SessionAnswer<Session>>(KEY, (before) => ({
        isDemo: before?.isDemo ?? false,
        session: null,
      }));
    });
  }, [queries]);
  return useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => read<SessionAnswer<Session>>(`${base}/api/session`, signal),
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
}

export function useSignIn(base: string): UseMutationResult<{ session: object }, unknown, object> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (secrets: object) =>
      send<{ session: object }>(`${base}/api/session`, { method: 'POST', body: secrets }),
    onSuccess({ session }) {
      queries.setQueryData<SessionAnswer<object>>(KEY, (before) => ({ isDemo: before?.isDemo ?? false, session }));
    },
  });
}

export function useSignOut(base: string): () => void {
  const queries = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: () => send(`${base}/api/session`, { method: 'DELETE' }),
    // Nothing of this person stays on the screen or in memory.
    onSuccess() {
      queries.clear();
      location.reload();
    },
    // The session goes on: to act as if it had ended would mislead whoever leaves this browser to others.
    onError: (error) => tellFailureAs('You are still signed in', error),
  });
  return mutate;
}

/** What the address carries behind `#`, once: it is taken out of the address and the history at once. */
export function takeFragment(): URLSearchParams {
  const fragment = new URLSearchParams(location.hash.slice(1));
  if (location.hash !== '') history.replaceState(null, '', location.pathname + location.search);
  return fragment;
}
