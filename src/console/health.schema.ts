// The console's page of technical health: the current state of the service.
import { type Static, Type } from 'typebox';

import { orNull } from '../platform/http/values.schema.ts';

const Count = Type.Integer({ minimum: 0 });
const Time = Type.String({ format: 'date-time' });

const MinuteSchema = Type.Object({
  minute: Time,
  accepted: Count,
  refused: Count,
  conflicts: Count,
  apiAnswers: Count,
  apiFaults: Count,
  pageAnswers: Count,
  pageFaults: Count,
  confirmed: Count,
  retried: Count,
  failed: Count,
});
export type HealthMinute = Static<typeof MinuteSchema>;

/** As the reports count: leads by the time at which they were received, money by the time at which it was posted. */
const TodaySchema = Type.Object({
  /** In the marketplace's time zone. */
  day: Type.String(),
  ...{ submitted: Count, accepted: Count, refused: Count, sold: Count, unsold: Count, pending: Count },
  ...{ deliveries: Count, failed: Count, returned: Count },
  /** Charges less credits, in the marketplace's currency. */
  revenue: Type.Number(),
});

const QueueSchema = Type.Object({
  queue: Type.Enum(['routing', 'sending', 'messages']),
  waiting: Count,
  /** Null if unknown. */
  inFlight: orNull(Count),
  later: Count,
  isMore: Type.Boolean(),
  ageSeconds: orNull(Count),
});
export type HealthQueue = Static<typeof QueueSchema>;

const EndpointSchema = Type.Object({
  ownerKind: Type.Enum(['supplier', 'buyer']),
  ownerKey: Type.String(),
  name: Type.String(),
  channel: Type.String(),
  state: Type.Enum(['failing', 'disabled']),
  since: Time,
  lastError: orNull(Type.String()),
});
export type FailingEndpoint = Static<typeof EndpointSchema>;

const WarningSchema = Type.Object({
  kind: Type.String(),
  /** With `kind` the name of the warning while it lasts. */
  subject: Type.String(),
  severity: Type.Enum(['high', 'low']),
  text: Type.String(),
  remedy: Type.String(),
  /** The key of the partner concerned. */
  partner: orNull(Type.String()),
  /** What it costs a day as sales go, or what waits; null if that is not known. */
  money: orNull(Type.Number()),
  /** Null within the first minute. */
  since: orNull(Time),
  acknowledged: orNull(Type.Object({ by: Type.String(), at: Time })),
});
export type HealthWarning = Static<typeof WarningSchema>;

const ProcessSchema = Type.Object({
  role: Type.Enum(['all', 'api', 'worker']),
  startedAt: Time,
  seenAt: Time,
  isLost: Type.Boolean(),
  /** Milliseconds ahead of the database's clock; null if within a few seconds. */
  clockAheadMs: orNull(Type.Integer()),
});
export type RunningProcess = Static<typeof ProcessSchema>;

export const HealthSchema = Type.Object({
  asOf: Time,
  currency: Type.String(),
  configVersion: Count,
  databaseBytes: orNull(Count),
  /** The last sixty minutes, the current one last. */
  minutes: Type.Array(MinuteSchema),
  /** `answers` sums up the latest of these minutes. */
  recentMinutes: Count,
  lastLeadAt: orNull(Time),
  today: TodaySchema,
  queues: Type.Array(QueueSchema),
  endpoints: Type.Object({ failing: Count, disabled: Count, listed: Type.Array(EndpointSchema) }),
  deadJobs: Type.Object({ jobs: Count, isMore: Type.Boolean(), latestAt: orNull(Time) }),
  attempts: Type.Object({
    made: Count,
    from: orNull(Time),
    taken: Count,
    serverErrors: Count,
    noResponse: Count,
  }),
  processes: Type.Array(ProcessSchema),
  /** By money, the most first. */
  warnings: Type.Array(WarningSchema),
});
export type Health = Static<typeof HealthSchema>;
