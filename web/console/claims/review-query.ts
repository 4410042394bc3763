// The query of one claim's review, used by its page and preloaded by the page of the previous claim.
import { queryOptions } from '@tanstack/react-query';

import type { QueuedClaim } from '../../../src/console/claims.schema.ts';
import { request } from '../console-api.ts';

/** The filter of the queue; '' for all kinds or all partners. */
export type QueueFilter = { readonly kind: '' | QueuedClaim['kind']; readonly partner: string };

export const reviewOf = (claimId: string, filter: QueueFilter) =>
  queryOptions({
    queryKey: ['claims', 'one', claimId, filter.kind, filter.partner],
    queryFn: ({ signal }) =>
      request('GET /console/api/claims/:claimId', { params: { claimId }, query: filter, signal }),
  });
