// The question of what the supplier earned in the last days, today included.
import { request } from '../../portal-api.ts';

export function earningsQuery(days: number) {
  return {
    queryKey: ['submissions', 'earnings', days],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
      request('GET /portal/api/v1/supplier/earnings', { query: { days }, signal }),
  };
}
