// Filter values of the operator's claim queue (contract 7.7).

/** `open` means submitted or under review. */
export const queueStatuses = ['open', 'submitted', 'under_review', 'approved', 'denied', 'withdrawn', 'all'] as const;
export type QueueStatus = (typeof queueStatuses)[number];

/** By due or filing time, from the earliest on, or with `-` from the latest on. Only open claims have an order by due time. */
export const queueOrders = ['due', '-due', 'filed', '-filed'] as const;
export type QueueOrder = (typeof queueOrders)[number];
