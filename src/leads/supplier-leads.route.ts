// GET /api/v1/supplier/leads/:leadIdOrExternalId: status of one lead, for its supplier (contract 3.10).
import { Type } from 'typebox';
import { typeId } from '../base/ids.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { sendProblem } from '../platform/http/problem.ts';
import { documentedProblems } from '../platform/http/problem-schema.ts';
import { principalOf } from '../platform/http/scope.ts';
import { findSubmission } from './find-submissions.ts';
import { publicStatuses } from './stored-lead.ts';
import { NOT_FOUND } from '../platform/http/request-fault.ts';

export type SupplierLeadsDependencies = { readonly database: Database };

const ParamsSchema = Type.Object({
  leadIdOrExternalId: Type.String({
    description:
      'The `lead_id` of the response to your submission, or your `external_id`, percent-encoded: a slash as `%2F`. If a text is both the id of one of your leads and an `external_id`, it is taken as the id.',
    examples: ['A-1001'],
  }),
});

const LeadSchema = Type.Object(
  {
    leadId: Type.String({ examples: ['lead_01m7xnp2vpe9rtj82p033hep4t'] }),
    externalId: Type.Union([Type.String(), Type.Null()], { description: 'Null if you sent none.' }),
    receivedAt: Type.String({ format: 'date-time', description: 'UTC.' }),
    score: Type.Union([Type.Integer({ minimum: 0, maximum: 100 }), Type.Null()], {
      description: 'Null for a submission that failed its checks.',
    }),
    status: Type.Enum([...publicStatuses], {
      description: 'The public status, as in your statistics. For a test lead, the status that a real lead would have.',
    }),
    reason: Type.Union([Type.String(), Type.Null()], {
      description:
        '`duplicate`, `no_buyer` or `suppressed`, or the failed checks of a submission that was rejected, joined by "; "; else null.',
    }),
    test: Type.Boolean({ description: 'Whether it was a test lead.' }),
  },
  {
    $id: 'SupplierLead',
    description: 'The current state of one of your leads. Never contains the buyer or the price.',
    examples: [
      {
        leadId: 'lead_01m7xnp2vpe9rtj82p033hep4t',
        externalId: 'A-1001',
        receivedAt: '2026-11-20T17:03:12.402Z',
        score: 91,
        status: 'Lead Sale',
        reason: null,
        test: false,
      },
    ],
  },
);

/** Available to suppliers in every status, like their statistics. */
export function registerSupplierLeads(scope: App, { database }: SupplierLeadsDependencies): void {
  scope.addSchema(LeadSchema);
  scope.get(
    '/api/v1/supplier/leads/:leadIdOrExternalId',
    {
      schema: {
        operationId: 'getSupplierLead',
        summary: 'Read the status of a lead',
        description:
          'One of your leads, by its id or by your `external_id`. If several submissions have the same `external_id`, the accepted lead is returned; if none was accepted, the latest test or rejected submission.',
        tags: ['Supplier'],
        params: ParamsSchema,
        response: { 200: Type.Ref('SupplierLead'), ...documentedProblems('not_found') },
      },
    },
    async (request, reply) => {
      const { ownerKey } = principalOf(request);
      const lead = await database.tx((tx) => findSubmission(tx, ownerKey, request.params.leadIdOrExternalId));
      if (lead === null) return sendProblem(request, reply, NOT_FOUND);
      return reply.send({
        leadId: typeId('lead', lead.leadId),
        externalId: lead.externalId,
        receivedAt: lead.receivedAt.toISOString(),
        score: lead.score,
        status: lead.publicStatus,
        reason: lead.reason,
        test: lead.isTest,
      });
    },
  );
}
