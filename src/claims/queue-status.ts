// By what the operator's queue of claims can be filtered (contract 7.7).

/** `open` are the submitted ones and those under review. */
export const queueStatuses = ['open', 'submitted', 'under_review', 'approved', 'denied', 'withdrawn', 'all'] as const;
export type QueueStatus = (typeof queueStatuses)[number];
