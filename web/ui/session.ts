// The session of the signed-in user, for both applications: read, sign in, sign out.
import {
  useMutation,
  type UseMutationResult,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query';
import { useEffect } from 'react';

import type { PageBrand } from '../../src/marketplace/brand.schema.ts';
import { createApi } from './api.ts';
import { setBrand } from './brand.tsx';
import { notifyFailureAs } from './notify.tsx';
import { whenSignedOut } from './request.ts';

/** The application. */
export type Area = 'portal' | 'console';

export type SessionResponse<Session> = {
  readonly session: Session | null;
  readonly isDemo: boolean;
  /** The identity provider that operators may sign in with; null or left out where there is none. */
  readonly provider?: string | null;
  /** Whether the portal mails links to a new password; left out at the console. */
  readonly mailsPasswordLinks?: boolean;
  readonly brand: PageBrand;
};

const { request } = createApi<{ 'DELETE /:area/api/session': object }>();

const KEY = ['session'];

/** `ask` requests the session of this application. It is not refetched: any 401 response ends the session on the page. */
export function useSession<Session>(
  ask: (signal: AbortSignal) => Promise<SessionResponse<Session>>,
): UseQueryResult<SessionResponse<Session>> {
  const queries = useQueryClient();
  useEffect(() => {
    whenSignedOut(() => {
      queries.setQueryData<SessionResponse<Session>>(KEY, (before) => before && { ...before, session: null });
    });
  }, [queries]);
  return useQuery({
    queryKey: KEY,
    async queryFn({ signal }) {
      const response = await ask(signal);
      setBrand(response.brand);
      return response;
    },
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
    onSuccess(response) {
      queries.setQueryData<SessionResponse<Session>>(KEY, (before) => ({
        ...(before ?? response),
        session: response.session,
      }));
    },
  });
}

export function useSignOut(area: Area): () => void {
  const queries = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: () => request('DELETE /:area/api/session', { params: { area } }),
    // Removes all data of the user from the screen and from memory.
    onSuccess() {
      queries.clear();
      location.reload();
    },
    // The session is still valid, and the next user of this browser could use it: say so.
    onError: (error) => notifyFailureAs('You are still signed in', error),
  });
  return mutate;
}

/** Returns the parameters of the URL fragment and removes it from the URL and the history. */
export function takeFragment(): URLSearchParams {
  const fragment = new URLSearchParams(location.hash.slice(1));
  if (location.hash !== '') history.replaceState(null, '', location.pathname + location.search);
  return fragment;
}
