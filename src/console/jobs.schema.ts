// Dead letters in the operator's console: the job, why it failed, and the result of a retry (contract 7.2).
import { type Static, Type } from 'typebox';

import { orNull } from '../platform/http/values.schema.ts';

const text = Type.String();
const time = Type.String({ format: 'date-time' });

const Name = Type.Enum(['route-lead', 'send-message']);

const filters = {
  name: Type.Optional(Name),
  owner: Type.Optional(Type.String({ maxLength: 63 })),
  error: Type.Optional(Type.String({ maxLength: 2000 })),
};
/** The filters alone. */
export const DeadJobFiltersSchema = Type.Object(filters);

export const DeadJobsQuerySchema = Type.Object({
  ...filters,
  after: Type.Optional(Type.String({ maxLength: 64 })),
  sort: Type.Optional(
    Type.Enum(['-failed', 'failed'], {
      default: '-failed',
      description: 'By the time of failure; `-` begins with the latest.',
    }),
  ),
});
export type DeadJobsQuery = Static<typeof DeadJobsQuerySchema>;

const JobSchema = Type.Object({
  jobId: text,
  name: Name,
  attempts: Type.Integer(),
  error: text,
  failedAt: time,
  /** The lead to be routed; null for a message. */
  leadId: orNull(text),
  /** The message and its recipient; null for a lead. */
  message: orNull(
    Type.Object({
      type: text,
      ownerKind: Type.Enum(['supplier', 'buyer']),
      ownerKey: text,
      channel: text,
      deliveryId: orNull(text),
      occurredAt: time,
    }),
  ),
});
export type DeadJob = Static<typeof JobSchema>;

const GroupSchema = Type.Object({
  name: Name,
  owner: orNull(text),
  error: text,
  jobs: Type.Integer(),
  latestAt: time,
});
export type DeadJobGroup = Static<typeof GroupSchema>;

export const DeadJobsSchema = Type.Object({
  data: Type.Array(JobSchema),
  next: orNull(text),
  /** Groups of all dead letters, regardless of the filter; with the first page only. */
  groups: Type.Array(GroupSchema),
});
export type DeadJobs = Static<typeof DeadJobsSchema>;

export const JobParams = Type.Object({ jobId: text });

export const RetriedJobSchema = Type.Object({ jobId: text, name: Name, retried: Type.Boolean({ const: true }) });
export type RetriedJob = Static<typeof RetriedJobSchema>;

/** Selects the jobs to retry. */
export const RetryJobsBody = Type.Object(filters);
export type RetryJobs = Static<typeof RetryJobsBody>;

export const RetriedJobsSchema = Type.Object({
  retried: Type.Integer(),
  /** Selected jobs that are still dead letters; at most one request's worth is counted. */
  remaining: Type.Integer(),
});
export type RetriedJobs = Static<typeof RetriedJobsSchema>;
