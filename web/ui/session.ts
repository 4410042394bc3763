// Who is signed in, as the service says; shared by both applications.
import {
  useMutation,
  type UseMutationResult,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useEffect } from 'react';

import { createApi } from './api.ts';
import { notifyFailureAs } from './notify.tsx';
import { whenSignedOut } from './request.ts';

/** Which application it is. */
export type Area = 'portal' | 'console';

export type SessionResponse<Session> = { readonly session: Session | null; readonly isDemo: boolean };

const { request } = createApi<{ 'DELETE /:area/api/session': object }>();

const KEY = ['session'];

/** `ask` requests the session of this application. Not asked anew by itself: any answer of 401 ends the session here. */
export function useSession<Session>(
  ask: (signal: AbortSignal) => Promise<SessionResponse<Session>>,
): UseQueryResult<SessionResponse<Session>> {
  const queries = useQueryClient();
  useEffect(() => {
    whenSignedOut(() => {
      queries.setQueryData<SessionResponse<Session>>(KEY, (before) => ({
        isDemo: before?.isDemo ?? false,
        session: null,
      }));
    });
  }, [queries]);
  return useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => ask(signal),
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
}

export function useSignIn<Secrets, Session>(
  signIn: (secrets: Secrets) => Promise<SessionResponse<Session>>,
): UseMutationResult<SessionResponse<Session>, unknown, Secrets> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: signIn,
    onSuccess({ session }) {
      queries.setQueryData<SessionResponse<Session>>(KEY, (before) => ({ isDemo: before?.isDemo ?? false, session }));
    },
  });
}

export function useSignOut(area: Area): () => void {
  const queries = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: () => request('DELETE /:area/api/session', { params: { area } }),
    // Nothing of this person stays on the screen or in memory.
    onSuccess() {
      queries.clear();
      location.reload();
    },
    // The session goes on: to act as if it had ended would mislead whoever leaves this browser to others.
    onError: (error) => notifyFailureAs('You are still signed in', error),
  });
  return mutate;
}

/** What the address carries behind `#`, once: it is taken out of the address and the history at once. */
export function takeFragment(): URLSearchParams {
  const fragment = new URLSearchParams(location.hash.slice(1));
  if (location.hash !== '') history.replaceState(null, '', location.pathname + location.search);
  return fragment;
}
