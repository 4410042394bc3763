// Filter values of the operator's claim queue (contract 7.7).

/** `open` means submitted or under review. */
export const queueStatuses = ['open', 'submitted', 'under_review', 'approved', 'denied', 'withdrawn', 'all'] as const;
export type QueueStatus = (typeof queueStatuses)[number];
