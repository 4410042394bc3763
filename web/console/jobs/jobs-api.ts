// Dead letters and failed deliveries as the service answers them (src/console/jobs.route.ts and
// src/console/failed-deliveries.route.ts).

export type JobName = 'route-lead' | 'send-message';

export type DeadJob = {
  readonly jobId: string;
  readonly name: JobName;
  readonly attempts: number;
  readonly error: string;
  readonly failedAt: string;
  readonly leadId: string | null;
  readonly message: {
    readonly type: string;
    readonly ownerKind: 'supplier' | 'buyer';
    readonly ownerKey: string;
    readonly channel: string;
    readonly deliveryId: string | null;
    readonly occurredAt: string;
  } | null;
};

export type DeadJobGroup = {
  readonly name: JobName;
  readonly owner: string | null;
  readonly error: string;
  readonly jobs: number;
  readonly latestAt: string;
};

export type DeadJobs = {
  readonly data: readonly DeadJob[];
  readonly next: string | null;
  readonly groups: readonly DeadJobGroup[];
};

export type RetriedMany = { readonly retried: number; readonly remaining: number };

export type Refusal =
  | 'delivery_not_found'
  | 'delivery_not_redeliverable'
  | 'webhook_not_configured'
  | 'endpoint_disabled';

export type FailedDelivery = {
  readonly deliveryId: string;
  readonly deliveryRef: string;
  readonly leadId: string;
  readonly partner: string;
  readonly partnerName: string;
  readonly offer: string;
  readonly payout: number;
  readonly channel: string | null;
  readonly deliveredAt: string;
  readonly failedAt: string;
  readonly mayHaveArrived: boolean;
  readonly lastAttemptAt: string | null;
  readonly reason: string | null;
  readonly standing: 'failed' | 'queued' | 'again';
  readonly refusal: Refusal | null;
};

export type FailedGroup = {
  readonly partner: string;
  readonly partnerName: string;
  readonly channel: string | null;
  readonly reason: string | null;
  readonly deliveries: number;
  readonly latestAt: string;
};

export type FailedDeliveries = {
  readonly currency: string;
  readonly data: readonly FailedDelivery[];
  readonly next: string | null;
  readonly groups: readonly FailedGroup[];
};

export type QueuedMany = {
  readonly queued: number;
  readonly skipped: ReadonlyArray<{ readonly reason: Refusal; readonly deliveries: number }>;
  readonly isMore: boolean;
};
