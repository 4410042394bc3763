// Queries of dry runs, and of the change that a dry run was started with.
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import type { ShownSimulation, Simulations } from '../../../src/console/simulations.schema.ts';
import { Loading } from '../../ui/states.tsx';
import { request } from '../console-api.ts';
import type { ConfigurationInput } from '../configuration/configuration-api.ts';

const REFETCH_EVERY_MS = 1000;

/** Refetched until the dry run has ended. */
export function useSimulation(id: string): UseQueryResult<ShownSimulation> {
  return useQuery({
    queryKey: ['simulation', id],
    queryFn: ({ signal }) =>
      request('GET /console/api/simulations/:simulationId', { params: { simulationId: id }, signal }),
    refetchInterval: ({ state }) =>
      state.data === undefined || state.data.state === 'running' ? REFETCH_EVERY_MS : false,
  });
}

export function useSimulations(): UseQueryResult<Simulations> {
  return useQuery({
    queryKey: ['simulations'],
    queryFn: ({ signal }) => request('GET /console/api/simulations', { signal }),
    refetchInterval: ({ state }) =>
      state.data?.data.some((row) => row.state === 'running') === true ? REFETCH_EVERY_MS : false,
  });
}

/** The change as the form sent it. */
export type TriedChange = ConfigurationInput & { readonly version: number };

/** `id` is '' if the page was not opened from a dry run. Undefined while loading; null for none. */
export function useTried(id: string): TriedChange | null | undefined {
  const query = useQuery({
    queryKey: ['simulation-input', id],
    queryFn: ({ signal }) =>
      request('GET /console/api/simulations/:simulationId/input', { params: { simulationId: id }, signal }),
    enabled: id !== '',
    staleTime: Infinity,
  });
  if (id === '' || query.isError) return null;
  return query.data as TriedChange | undefined;
}

/** Renders a form with the change of a dry run, or with null if there is none. */
export function WithTried({
  id,
  children,
}: {
  readonly id: string;
  readonly children: (tried: TriedChange | null) => ReactNode;
}): ReactNode {
  const tried = useTried(id);
  return tried === undefined ? <Loading what="Loading the change" /> : children(tried);
}
