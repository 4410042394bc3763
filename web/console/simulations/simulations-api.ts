// Simulations as the service tells of them.
import { useQuery, type UseQueryResult } from '@tanstack/react-query';

import { read } from '../../ui/request.ts';
import type { InputFault } from '../configuration/configuration-api.ts';

export type FromTo = { readonly from: number; readonly to: number };
export type Totals = {
  readonly routed: number;
  readonly rejected: number;
  readonly held: number;
  readonly revenue: number;
};
export type Fared = { readonly leads: FromTo; readonly revenue: FromTo };
export type PartnerFared = { readonly partner: string } & Fared;
export type OfferFared = { readonly offer: string; readonly partner: string } & Fared;
type Shown<Row> = { readonly changed: number; readonly unchanged: number; readonly rows: readonly Row[] };

export type SimulationResult = {
  readonly from: string;
  readonly to: string;
  readonly leads: number;
  readonly differences: number;
  readonly erased: number;
  readonly configurationChanges: number;
  readonly totals: { readonly history: Totals; readonly simulated: Totals };
  readonly partners: Shown<PartnerFared>;
  readonly offers: Shown<OfferFared>;
  readonly unsold: ReadonlyArray<{ readonly reason: string } & FromTo>;
};

export type SimulationRow = {
  readonly id: string;
  readonly operator: string;
  readonly days: number;
  readonly state: 'running' | 'done' | 'refused' | 'cancelled' | 'failed';
  readonly progress: { readonly done: number; readonly all: number | null };
  readonly createdAt: string;
  readonly finishedAt: string | null;
};

export type Simulation = SimulationRow & {
  readonly faults: readonly InputFault[];
  readonly result: SimulationResult | null;
};

const ASKED_EVERY_MS = 1000;

/** Asked again and again until it has ended. */
export function useSimulation(id: string): UseQueryResult<Simulation> {
  return useQuery({
    queryKey: ['simulation', id],
    queryFn: ({ signal }) => read<Simulation>(`/console/api/simulations/${id}`, signal),
    refetchInterval: ({ state }) =>
      state.data === undefined || state.data.state === 'running' ? ASKED_EVERY_MS : false,
  });
}

export function useSimulations(): UseQueryResult<{ readonly data: readonly SimulationRow[] }> {
  return useQuery({
    queryKey: ['simulations'],
    queryFn: ({ signal }) => read<{ readonly data: readonly SimulationRow[] }>('/console/api/simulations', signal),
    refetchInterval: ({ state }) =>
      state.data?.data.some((row) => row.state === 'running') === true ? ASKED_EVERY_MS : false,
  });
}
