// A change that was tried and is not applied: how the form that it came from gets it back.
import { useQuery } from '@tanstack/react-query';

import { read } from '../../ui/request.ts';
import type { Wish } from '../configuration/configuration-api.ts';

export type TriedChange = Wish & { readonly version: number };

/** `id` is '' where the page was not reached from a simulation. Undefined while it is on its way; null for none. */
export function useTried(id: string): TriedChange | null | undefined {
  const query = useQuery({
    queryKey: ['simulation-input', id],
    queryFn: ({ signal }) => read<TriedChange>(`/console/api/simulations/${id}/input`, signal),
    enabled: id !== '',
    staleTime: Infinity,
  });
  if (id === '' || query.isError) return null;
  return query.data;
}
