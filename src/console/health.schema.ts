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

const TodaySchema = Type.Object({
  /** A UTC day. */
  day: Type.String(),
  submitted: Count,
  refused: Count,
  pending: Count,
  routed: Count,
  duplicates: Count,
  noBuyer: Count,
  suppressed: Count,
  /** Confirmed deliveries of the day, in the marketplace's currency. */
  revenue: Type.Number(),
  deliveries: Type.Object({ pending: Count, confirmed: Count, failed: Count, returned: Count }),
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

const ProblemSchema = Type.Object({
  kind: Type.String(),
  severity: Type.Enum(['high', 'low']),
  text: Type.String(),
  remedy: Type.String(),
  queue: orNull(Type.String()),
  /** The key of the partner concerned. */
  partner: orNull(Type.String()),
});
export type HealthProblem = Static<typeof ProblemSchema>;

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
  problems: Type.Array(ProblemSchema),
});
export type Health = Static<typeof HealthSchema>;
