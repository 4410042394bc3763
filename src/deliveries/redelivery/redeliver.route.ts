// POST /api/v1/buyer/leads/:deliveryId/redeliver: the webhook of one delivery once more (contract 6.4).
import { Type } from 'typebox';
import { requestOrigin } from '../../audit/request-author.ts';
import { uuidOf } from '../../base/ids.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app.ts';
import {
  type HttpResponse,
  respondIdempotently,
  jsonResponse,
  problemResponse,
} from '../../platform/http/idempotency.ts';
import { documentedProblems } from '../../platform/http/problem-schema.ts';
import type { Refusal } from '../../platform/http/request-fault.ts';
import { faultsOfEmptyBody } from '../../platform/http/schema-faults.rules.ts';
import { principalOf } from '../../platform/http/scope.ts';
import { DeliveryParams } from '../delivery.schema.ts';
import { judgeRedelivery, type RedeliveryRefusal, requestRedelivery } from './request-redelivery.ts';
import type { ReviveDeliveries } from './reopen-deliveries.ts';

export type RedeliverDependencies = {
  /** The service's own, not the partner's behind its wall: whether a failed delivery can be the partner's again depends on others' rows. */
  readonly database: Database;
  readonly clock: Clock;
  readonly revive: ReviveDeliveries;
  /** Called when it is on disk. */
  readonly onQueued: () => void;
};

const STATUS = {
  delivery_not_found: 404,
  delivery_not_redeliverable: 409,
  webhook_not_configured: 409,
  endpoint_disabled: 409,
} as const satisfies Record<RedeliveryRefusal, number>;

const QueuedSchema = Type.Object(
  {
    deliveryId: Type.String({ examples: ['dlv_01m7wyk0h2emp81qch4dvtyn6a'] }),
    deliveryRef: Type.String({ examples: ['LS-100042'] }),
    status: Type.Enum(['Confirmed', 'Pending'], {
      description: 'Of the delivery: a Confirmed one stays so, a Failed one is Pending again',
    }),
    queued: Type.Boolean({ const: true }),
  },
  {
    $id: 'QueuedRedelivery',
    description: 'A delivery that is going to be sent again',
    examples: [
      { deliveryId: 'dlv_01m7wyk0h2emp81qch4dvtyn6a', deliveryRef: 'LS-100042', status: 'Confirmed', queued: true },
    ],
  },
);

export function registerRedeliver(scope: App, { database, clock, revive, onQueued }: RedeliverDependencies): void {
  scope.addSchema(QueuedSchema);
  scope.post(
    '/api/v1/buyer/leads/:deliveryId/redeliver',
    {
      config: { emptyBody: true },
      schema: {
        operationId: 'redeliverLead',
        summary: 'Send a delivery again',
        description:
          'Sends the `lead.delivered` message of a Confirmed or Failed delivery to your webhook again, with the same `webhook-id`, the same body and with retries. A Confirmed one is not billed again and stays as it is. A Failed one was not billed: while its lead has not been sold to others and your offer and funds have room for it, it becomes Pending again, and is Confirmed and billed once you take it; else the answer is 409 `delivery_not_redeliverable`. There is nothing to say in a body; an empty object will do.',
        tags: ['Buyer'],
        params: DeliveryParams,
        response: {
          202: Type.Ref('QueuedRedelivery'),
          ...documentedProblems(
            'partner_suspended',
            'delivery_not_found',
            'delivery_not_redeliverable',
            'webhook_not_configured',
            'endpoint_disabled',
            'validation_failed',
          ),
        },
      },
    },
    (request, reply) => {
      const now = clock.now();
      const { ownerKey: buyerKey } = principalOf(request);
      const deliveryId = uuidOf('delivery', request.params.deliveryId);
      const origin = requestOrigin(request);
      // By hand, because a schema would be checked first, and the id comes before the body.
      const errors = faultsOfEmptyBody(request.body);
      let isQueued = false;
      return respondIdempotently({
        ...{ database, request, reply, now },
        async work(tx) {
          const refuse = (refusal: Refusal): HttpResponse => problemResponse(request, reply, refusal);
          const notNow = (code: RedeliveryRefusal): HttpResponse => refuse({ status: STATUS[code], code });
          if (deliveryId === null) return notNow('delivery_not_found');
          if (errors.length > 0) {
            // What stands in the way of any redelivery comes before what is wrong with the body.
            const [judged] = await judgeRedelivery(tx, buyerKey, [deliveryId]);
            return judged?.ok === false
              ? notNow(judged.reason)
              : refuse({ status: 422, code: 'validation_failed', errors });
          }
          const actor = { type: 'buyer', name: buyerKey } as const;
          const report = await requestRedelivery(
            tx,
            { deliveryIds: [deliveryId], buyerKey, actor, origin, revive },
            now,
          );
          const [queued] = report.queued;
          if (queued === undefined) return notNow(report.skipped[0]?.reason ?? 'delivery_not_found');
          isQueued = true;
          return jsonResponse(202, { ...queued, deliveryId: request.params.deliveryId, queued: true });
        },
        onCommitted: () => {
          if (isQueued) onQueued();
        },
      });
    },
  );
}
