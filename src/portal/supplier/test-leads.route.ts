// Test leads that a supplier posts from the portal, through the same operation as ingest, with the response and the routing decision
// (contract 3.8).
import { Type } from 'typebox';
import { typeId, uuidOf } from '../../base/ids.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app.ts';
import { routeGuard } from '../../platform/http/route-guard.ts';
import { respondIdempotently, jsonResponse } from '../../platform/http/idempotency.ts';
import { describeProblem, sendProblem } from '../../platform/http/problem.ts';
import { principalOf } from '../../platform/http/scope.ts';
import type { SupplierStatus } from '../../suppliers/supplier.ts';
import { responseBody, CONFLICT, ingestProblemExtras } from '../../leads/ingest-response.rules.ts';
import { responseTo, type IngestResponse, type IngestContext, prepareSubmission } from '../../leads/ingest-lead.ts';
import { readSubmission } from '../../leads/find-submissions.ts';
import { describeReasons, describeStatus } from '../../leads/reason-texts.rules.ts';
import { storeSubmissions, type Submission } from '../../leads/store-submissions.ts';
import { takeTestLead } from '../../leads/submission-limits.ts';
import {
  TestLeadResponseSchema,
  type TestLeadResponse,
  TestLeadDecisionSchema,
  TestLeadSchema,
} from './test-leads.schema.ts';

export type PortalTestLeadsDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  readonly statusOf: (supplierKey: string) => SupplierStatus;
  readonly contextOf: (supplierKey: string) => IngestContext;
  /** Wakes routing and counts responses. */
  readonly onResponse: (kind: IngestResponse['kind']) => void;
};

export function registerPortalTestLeads(scope: App, dependencies: PortalTestLeadsDependencies): void {
  registerPosting(scope, dependencies);
  registerDecision(scope, dependencies);
}

function registerPosting(scope: App, dependencies: PortalTestLeadsDependencies): void {
  const { database, clock, statusOf, contextOf, onResponse } = dependencies;
  scope.post(
    '/api/supplier/test-leads',
    {
      // As in the API: a supplier that is not approved cannot post, not even test leads.
      onRequest: routeGuard(({ ownerKey }) =>
        statusOf(ownerKey) === 'approved' ? null : { status: 403, code: 'supplier_not_approved' },
      ),
      preHandler: async (request, reply) => {
        const { ownerKey } = principalOf(request);
        const problem = await takeTestLead(scope.rateLimiter, ownerKey, { nowMs: clock.now().getTime(), reply });
        // A hook that has responded returns the reply.
        return problem === null ? undefined : sendProblem(request, reply, problem);
      },
      attachValidation: true,
      schema: { body: TestLeadSchema, response: { 200: TestLeadResponseSchema } },
    },
    async (request, reply) => {
      const now = clock.now();
      const { ownerKey } = principalOf(request);
      let response: IngestResponse | null = null;
      return respondIdempotently({
        ...{ database, request, reply, now },
        async work(tx) {
          const { lead } = request.body;
          const context: IngestContext = { ...contextOf(ownerKey), isTest: true };
          const posted = { members: lead, text: JSON.stringify(lead), leadId: request.trace?.id };
          const submission = prepareSubmission(posted, context, now);
          const [stored = { kind: 'stored' } as const] = await storeSubmissions(tx, [submission]);
          response = responseTo(submission, stored);
          return jsonResponse(
            200,
            resultBody(response, submission, { requestId: request.id, elapsedMs: reply.elapsedTime }),
          );
        },
        onCommitted() {
          if (response !== null) onResponse(response.kind);
        },
      });
    },
  );
}

function registerDecision(scope: App, { database, contextOf }: PortalTestLeadsDependencies): void {
  scope.get(
    '/api/supplier/test-leads/:leadId',
    { schema: { params: Type.Object({ leadId: Type.String() }), response: { 200: TestLeadDecisionSchema } } },
    async (request, reply) => {
      const { ownerKey } = principalOf(request);
      const leadId = uuidOf('lead', request.params.leadId);
      const { mapping } = contextOf(ownerKey);
      const lead =
        leadId === null ? null : await database.tx((tx) => readSubmission(tx, ownerKey, { leadId, mapping }));
      if (lead === null || !lead.isTest) return sendProblem(request, reply, { status: 404, code: 'not_found' });
      return reply.send({
        leadId: typeId('lead', lead.leadId),
        externalId: lead.externalId,
        receivedAt: lead.receivedAt.toISOString(),
        isDecided: lead.publicStatus !== 'Pending',
        decidedAt: lead.decidedAt?.toISOString() ?? null,
        status: lead.publicStatus,
        statusMeaning: describeStatus(lead.publicStatus, true),
        score: lead.score,
        reasons: describeReasons(lead.reason),
        lacking: [...lead.lacking],
      });
    },
  );
}

/** The exact response of the API, and the id of the stored submission. */
function resultBody(
  response: IngestResponse,
  submission: Submission,
  { requestId, elapsedMs }: { readonly requestId: string; readonly elapsedMs: number },
): TestLeadResponse {
  if (response.kind === 'conflict') {
    const problem = describeProblem(CONFLICT, requestId);
    const body = JSON.stringify({ ...problem, ...ingestProblemExtras(problem, elapsedMs) });
    return { status: CONFLICT.status, body, isRepeat: false, leadId: null };
  }
  const body = responseBody(response, elapsedMs);
  return response.kind === 'accepted'
    ? { status: 202, body, isRepeat: response.isRepeat, leadId: response.leadId }
    : { status: 422, body, isRepeat: false, leadId: typeId('lead', submission.leadId) };
}
