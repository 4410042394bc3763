// GET /api/v1/buyer/leads/:deliveryId/timeline: the events and attempts of one delivery (contract 6.13).
import { Type } from 'typebox';

import { uuidOf } from '../../base/ids.ts';
import { betaGate } from '../../buyers/buyer-gates.ts';
import type { Buyer } from '../../buyers/buyer.ts';
import type { Database } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app.ts';
import { sendProblem } from '../../platform/http/problem.ts';
import { documentedProblems } from '../../platform/http/problem-schema.ts';
import { principalOf } from '../../platform/http/scope.ts';
import { attemptExample } from '../attempt.schema.ts';
import { DeliveryParams } from '../delivery.schema.ts';
import { deliveryStatuses } from '../delivery.ts';
import { readTimeline } from './read-timeline.ts';
import { timelineEventTypes } from './timeline.rules.ts';

export type TimelineDependencies = {
  readonly database: Database;
  readonly currency: () => string;
  readonly buyerOf: (buyerKey: string) => Pick<Buyer, 'betaTools'>;
};

const TimelineSchema = Type.Object(
  {
    deliveryId: Type.String({ examples: ['dlv_01m7wyk0h2emp81qch4dvtyn6a'] }),
    deliveryRef: Type.String({ examples: ['LS-100042'] }),
    status: Type.Enum([...deliveryStatuses]),
    events: Type.Array(
      Type.Object({
        at: Type.String({ format: 'date-time' }),
        type: Type.Enum([...timelineEventTypes], {
          description: 'The type of the event. Ignore unknown types: more may be added',
        }),
        message: Type.String({ description: 'A sentence in English' }),
      }),
      { description: 'Oldest first' },
    ),
    attempts: Type.Array(Type.Ref('Attempt'), { description: 'Oldest first' }),
  },
  {
    $id: 'Timeline',
    description: 'The events and attempts of one delivery.',
    examples: [
      {
        deliveryId: 'dlv_01m7wyk0h2emp81qch4dvtyn6a',
        deliveryRef: 'LS-100042',
        status: 'Pending',
        events: [
          {
            at: '2026-11-20T17:03:12.418Z',
            type: 'delivery.routed',
            message: 'The lead was routed to you as LS-100042.',
          },
          {
            at: '2026-11-20T17:03:12.431Z',
            type: 'attempt.failed',
            message:
              'Attempt 1 by webhook to https://crm.summit.example/… failed (184 ms). Response 503. The next attempt is due at 2026-11-20T17:03:17.902Z.',
          },
        ],
        attempts: [attemptExample],
      },
    ],
  },
);

/** The schema of attempts must be registered with the scope. */
export function registerTimeline(scope: App, { database, buyerOf, currency }: TimelineDependencies): void {
  scope.addSchema(TimelineSchema);
  scope.get(
    '/api/v1/buyer/leads/:deliveryId/timeline',
    {
      onRequest: betaGate('timeline', buyerOf),
      schema: {
        operationId: 'getDeliveryTimeline',
        summary: 'Read the timeline of a delivery',
        description:
          'Beta. The events of the delivery as sentences, and every attempt to deliver it to you, oldest first.',
        tags: ['Buyer'],
        params: DeliveryParams,
        response: {
          200: Type.Ref('Timeline'),
          ...documentedProblems('partner_suspended', 'beta_not_enabled', 'delivery_not_found'),
        },
      },
      // The view has exactly the members of the schema already.
      serializerCompiler: () => (response) => JSON.stringify(response),
    },
    async (request, reply) => {
      const deliveryId = uuidOf('delivery', request.params.deliveryId);
      const { ownerKey } = principalOf(request);
      const timeline =
        deliveryId === null
          ? null
          : await database.tx((tx) => readTimeline(tx, { buyerKey: ownerKey, deliveryId, currency: currency() }), {
              snapshot: true,
            });
      if (timeline === null) return sendProblem(request, reply, { status: 404, code: 'delivery_not_found' });
      return reply.send(timeline);
    },
  );
}
