// The endpoints that the console asks, each with what it takes and responds with.
import type { AuditChoices, AuditLog, AuditQuery } from '../../src/console/audit.schema.ts';
import type {
  Approval,
  ClaimFilter,
  ClaimQueue,
  ClaimQueueQuery,
  ClaimReview,
  DecidedClaim,
  Denial,
} from '../../src/console/claims.schema.ts';
import type { Endpoints, EndpointsQuery, Revived } from '../../src/console/endpoints.schema.ts';
import type {
  FailedDeliveries,
  FailedDeliveriesQuery,
  Queued,
  QueuedMany,
  RetryDeliveries,
} from '../../src/console/failed-deliveries.schema.ts';
import type { DeadJobs, DeadJobsQuery, RetriedJob, RetriedJobs, RetryJobs } from '../../src/console/jobs.schema.ts';
import type { Leads, LeadsQuery, LeadStory, LeadStoryQuery } from '../../src/console/leads.schema.ts';
import { createApi } from '../ui/api.ts';

export const { request } = createApi<{
  'GET /console/api/audit-log': { query: AuditQuery; response: AuditLog };
  'GET /console/api/audit-log/choices': { response: AuditChoices };

  'GET /console/api/claims': { query: ClaimQueueQuery; response: ClaimQueue };
  'GET /console/api/claims/:claimId': { query: ClaimFilter; response: ClaimReview };
  'POST /console/api/claims/:claimId/start-review': { query: ClaimFilter; body: object; response: DecidedClaim };
  'POST /console/api/claims/:claimId/approve': { query: ClaimFilter; body: Approval; response: DecidedClaim };
  'POST /console/api/claims/:claimId/deny': { query: ClaimFilter; body: Denial; response: DecidedClaim };

  'GET /console/api/endpoints': { query: EndpointsQuery; response: Endpoints };
  'POST /console/api/endpoints/:ownerKind/:ownerKey/:channel/enable': { response: Revived };

  'GET /console/api/failed-deliveries': { query: FailedDeliveriesQuery; response: FailedDeliveries };
  'POST /console/api/failed-deliveries/retry': { body: RetryDeliveries; response: QueuedMany };
  'POST /console/api/deliveries/:deliveryId/retry': { response: Queued };

  'GET /console/api/jobs': { query: DeadJobsQuery; response: DeadJobs };
  'POST /console/api/jobs/retry': { body: RetryJobs; response: RetriedJobs };
  'POST /console/api/jobs/:jobId/retry': { response: RetriedJob };

  'GET /console/api/leads': { query: LeadsQuery; response: Leads };
  'GET /console/api/suppliers': {
    query: { search?: string; pageSize?: number };
    response: { data: Array<{ key: string; name: string }> };
  };

  'GET /console/api/leads/:leadId': { query: LeadStoryQuery; response: LeadStory };
}>();
