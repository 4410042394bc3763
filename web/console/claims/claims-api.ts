// One claim with what is needed to decide it, asked for by its page and, ahead of time, by the page of the claim before.
import { queryOptions } from '@tanstack/react-query';

import type { QueuedClaim } from '../../../src/console/claims.schema.ts';
import { request } from '../console-api.ts';

/** Which claims come next: '' for all kinds and all partners. */
export type QueueFilter = { readonly kind: '' | QueuedClaim['kind']; readonly partner: string };

export const reviewOf = (claimId: string, filter: QueueFilter) =>
  queryOptions({
    queryKey: ['claims', 'one', claimId, filter.kind, filter.partner],
    queryFn: ({ signal }) =>
      request('GET /console/api/claims/:claimId', { params: { claimId }, query: filter, signal }),
  });
