// The query of one claim's review, used by its page and preloaded by the page of the previous claim.
import { queryOptions } from '@tanstack/react-query';

import type { QueuedClaim } from '../../../src/console/claims.schema.ts';
import { request } from '../console-api.ts';

/** The filter of the queue; '' for all kinds, partners or verticals. */
export type QueueFilter = {
  readonly kind: '' | QueuedClaim['kind'];
  readonly partner: string;
  readonly vertical: string;
};

/** The filter in the address of a review, because it decides which claim comes next. */
export type QueueSearch = Readonly<Record<keyof QueueFilter, string | undefined>>;

export function searchFor({ kind, partner, vertical }: QueueFilter): QueueSearch {
  const stated = (value: string): string | undefined => (value === '' ? undefined : value);
  return { kind: stated(kind), partner: stated(partner), vertical: stated(vertical) };
}

export const reviewOf = (claimId: string, filter: QueueFilter) =>
  queryOptions({
    queryKey: ['claims', 'one', claimId, filter.kind, filter.partner, filter.vertical],
    queryFn: ({ signal }) =>
      request('GET /console/api/claims/:claimId', { params: { claimId }, query: filter, signal }),
  });
