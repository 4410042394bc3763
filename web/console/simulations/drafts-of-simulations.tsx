// A change that was tried and is not applied: how the form that it came from gets it back.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';

import { Loading } from '../../ui/states.tsx';
import { request } from '../console-api.ts';
import type { ConfigurationInput } from '../configuration/configuration-api.ts';

/** What a form sent. */
export type TriedChange = ConfigurationInput & { readonly version: number };

/** `id` is '' where the page was not reached from a simulation. Undefined while it is on its way; null for none. */
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

/** A form that begins with the change, or with null where none was tried. */
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
