// The overview as the service answers it (src/reports/overview-schema.ts).

export type Minute = {
  readonly minute: string;
  readonly accepted: number;
  readonly refused: number;
  readonly conflicts: number;
  readonly apiAnswers: number;
  readonly apiFaults: number;
  readonly pageAnswers: number;
  readonly pageFaults: number;
  readonly confirmed: number;
  readonly retried: number;
  readonly failed: number;
};

export type Queue = {
  readonly queue: 'routing' | 'sending' | 'messages';
  readonly waiting: number;
  /** Null where nothing tells. */
  readonly inFlight: number | null;
  readonly later: number;
  /** There are more than the numbers say. */
  readonly isMore: boolean;
  readonly ageSeconds: number | null;
};

export type FailingEndpoint = {
  readonly ownerKind: 'supplier' | 'buyer';
  readonly ownerKey: string;
  readonly name: string;
  readonly channel: string;
  readonly state: 'failing' | 'disabled';
  readonly since: string;
  readonly lastError: string | null;
};

export type Problem = {
  readonly kind: string;
  readonly severity: 'high' | 'low';
  readonly text: string;
  readonly remedy: string;
  readonly queue: string | null;
  /** The key of the partner that it is about. */
  readonly partner: string | null;
};

export type RunningProcess = {
  readonly role: 'all' | 'api' | 'worker';
  readonly startedAt: string;
  readonly seenAt: string;
  readonly isLost: boolean;
  /** Milliseconds ahead of the database's clock; null where it is within some seconds. */
  readonly clockAheadMs: number | null;
};

export type Overview = {
  readonly asOf: string;
  readonly currency: string;
  readonly configVersion: number;
  readonly databaseBytes: number | null;
  /** Sixty of them, the present one last. */
  readonly minutes: readonly Minute[];
  readonly recentMinutes: number;
  readonly lastLeadAt: string | null;
  readonly today: {
    /** A UTC day. */
    readonly day: string;
    readonly submitted: number;
    readonly refused: number;
    readonly pending: number;
    readonly routed: number;
    readonly duplicates: number;
    readonly noBuyer: number;
    readonly revenue: number;
    readonly deliveries: {
      readonly pending: number;
      readonly confirmed: number;
      readonly failed: number;
      readonly returned: number;
    };
  };
  readonly queues: readonly Queue[];
  readonly endpoints: {
    readonly failing: number;
    readonly disabled: number;
    readonly listed: readonly FailingEndpoint[];
  };
  readonly deadJobs: { readonly jobs: number; readonly isMore: boolean; readonly latestAt: string | null };
  readonly attempts: {
    readonly made: number;
    readonly from: string | null;
    readonly taken: number;
    readonly serverErrors: number;
    readonly noAnswer: number;
  };
  readonly processes: readonly RunningProcess[];
  readonly problems: readonly Problem[];
};
