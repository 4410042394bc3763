// The work of operators in their API: leads, deliveries, claims, jobs and endpoints (contract 10).
import type { MountedRoutes } from './mount-console-routes.ts';

const MASKED = 'Personal data is masked unless the token also has the scope `privacy`; each read of it is recorded.';

export const workRoutes: MountedRoutes = {
  'GET /leads': {
    scope: 'read',
    operationId: 'listOperatorLeads',
    summary: 'List leads',
    description: `Newest first, with what each lead was sold for. ${MASKED} Repeat with \`before\` set to \`next\` until that is null.`,
    returns: 'A page of leads.',
  },
  'GET /leads/:leadId': {
    scope: 'read',
    operationId: 'getOperatorLead',
    summary: 'Read a lead',
    description: `The submission, its score, a decision with every offer in words, deliveries, attempts, ledger entries and claims. ${MASKED}`,
    returns: 'The lead.',
  },
  'POST /erasure/leads/:leadId': {
    path: '/leads/:leadId/erase',
    scope: 'privacy',
    operationId: 'eraseLead',
    summary: 'Erase the personal data of a lead',
    description:
      'Erases it here for good, and says which partners have a copy that they must erase as well. Erasing twice changes nothing.',
    returns: 'What was erased, and the deliveries of the lead.',
  },
  'GET /failed-deliveries': {
    scope: 'read',
    operationId: 'listFailedDeliveries',
    summary: 'List failed deliveries',
    description: 'Newest first; the first page also has the groups of all failed deliveries by partner and reason.',
    returns: 'A page of failed deliveries.',
  },
  'POST /deliveries/:deliveryId/retry': {
    scope: 'operate',
    operationId: 'retryDelivery',
    summary: 'Send a failed delivery again',
    description: 'Queues the delivery as the console does. It is charged once, when it is confirmed.',
    returns: 'The delivery is queued.',
    problems: ['delivery_not_found', 'delivery_not_redeliverable', 'webhook_not_configured', 'endpoint_disabled'],
  },
  'POST /failed-deliveries/retry': {
    scope: 'operate',
    operationId: 'retryFailedDeliveries',
    summary: 'Send failed deliveries of a partner again',
    description: 'Queues up to a limit of one request; repeat while `isMore` is true.',
    returns: 'How many deliveries are queued, and why others are not.',
  },
  'GET /claims': {
    scope: 'read',
    operationId: 'listOperatorClaims',
    summary: 'List claims',
    description: 'Returns and disputes of partners, in the order of the review queue.',
    returns: 'A page of claims.',
  },
  'GET /claims/:id': {
    scope: 'read',
    operationId: 'getOperatorClaim',
    summary: 'Read a claim',
    description: `The claim with its evidence and the partner's record. ${MASKED}`,
    returns: 'The claim.',
  },
  'POST /claims/:id/approve': {
    scope: 'operate',
    operationId: 'approveClaim',
    summary: 'Approve a claim',
    description: 'Posts the credit to the partner and takes back what the supplier earned, in one transaction.',
    returns: 'The decided claim.',
    problems: ['claim_closed', 'claim_not_submitted'],
  },
  'POST /claims/:id/deny': {
    scope: 'operate',
    operationId: 'denyClaim',
    summary: 'Deny a claim',
    description: 'The note is shown to the partner. No money moves.',
    returns: 'The decided claim.',
    problems: ['claim_closed', 'claim_not_submitted'],
  },
  'GET /jobs': {
    scope: 'read',
    operationId: 'listFailedJobs',
    summary: 'List jobs that failed for good',
    description: 'Newest first; the first page also has the groups of all such jobs by name, owner and error.',
    returns: 'A page of jobs.',
  },
  'POST /jobs/:jobId/retry': {
    scope: 'operate',
    operationId: 'retryJob',
    summary: 'Run a failed job again',
    description: 'Queues the job again. Jobs are safe to repeat.',
    returns: 'The job is queued.',
  },
  'POST /jobs/retry': {
    scope: 'operate',
    operationId: 'retryJobs',
    summary: 'Run failed jobs again',
    description: 'Queues up to 500 of the jobs that the body selects, or of all; repeat while `remaining` is above 0.',
    returns: 'How many jobs are queued and how many remain.',
  },
  'GET /endpoints': {
    scope: 'read',
    operationId: 'listEndpoints',
    summary: 'List endpoints',
    description: 'The endpoints of partners and suppliers with their health, the ones with problems first.',
    returns: 'A page of endpoints.',
  },
  'POST /endpoints/:ownerKind/:ownerKey/:channel/enable': {
    scope: 'operate',
    operationId: 'enableEndpoint',
    summary: 'Enable an endpoint again',
    description: 'Enables a disabled endpoint, or tries a failing one now instead of when it is due.',
    returns: 'What was done.',
  },
};
