// Simulations as the service tells of them.
import { useQuery, type UseQueryResult } from '@tanstack/react-query';

import type { ShownSimulation, Simulations } from '../../../src/console/simulations.schema.ts';
import { request } from '../console-api.ts';

const ASKED_EVERY_MS = 1000;

/** Asked again and again until it has ended. */
export function useSimulation(id: string): UseQueryResult<ShownSimulation> {
  return useQuery({
    queryKey: ['simulation', id],
    queryFn: ({ signal }) =>
      request('GET /console/api/simulations/:simulationId', { params: { simulationId: id }, signal }),
    refetchInterval: ({ state }) =>
      state.data === undefined || state.data.state === 'running' ? ASKED_EVERY_MS : false,
  });
}

export function useSimulations(): UseQueryResult<Simulations> {
  return useQuery({
    queryKey: ['simulations'],
    queryFn: ({ signal }) => request('GET /console/api/simulations', { signal }),
    refetchInterval: ({ state }) =>
      state.data?.data.some((row) => row.state === 'running') === true ? ASKED_EVERY_MS : false,
  });
}
