// POST /api/v1/buyer/leads/:deliveryId/redeliver: sends the webhook of one delivery again (contract 6.4).
import { Type } from 'typebox';
import { partnerAuthor } from '../../audit/request-author.ts';
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
  /** Without row-level security: whether a failed delivery can be sold to the partner again depends on the rows of other partners. */
  readonly database: Database;
  readonly clock: Clock;
  readonly revive: ReviveDeliveries;
  /** Called after the commit. */
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
      description: 'The status of the delivery: a Confirmed one stays Confirmed, a Failed one becomes Pending',
    }),
    queued: Type.Boolean({ const: true }),
  },
  {
    $id: 'QueuedRedelivery',
    description: 'A delivery that will be sent again',
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
          'Sends the `lead.delivered` message of a Confirmed or Failed delivery to your webhook again, with the same `webhook-id`, the same body and with retries. A Confirmed delivery is not billed again and does not change. A Failed delivery was not billed: it becomes Pending again, and is Confirmed and billed once you accept it, if its lead has not been sold to others and the caps of your offer and your funds allow it. Otherwise the response is 409 `delivery_not_redeliverable`. The body may be missing or an empty object.',
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
      const author = partnerAuthor(request, 'buyer');
      // Not in the route's schema, which would be checked first: errors of the id come before errors of the body.
      const errors = faultsOfEmptyBody(request.body);
      let isQueued = false;
      return respondIdempotently({
        ...{ database, request, reply, now },
        async work(tx) {
          const refuse = (refusal: Refusal): HttpResponse => problemResponse(request, reply, refusal);
          const notNow = (code: RedeliveryRefusal): HttpResponse => refuse({ status: STATUS[code], code });
          if (deliveryId === null) return notNow('delivery_not_found');
          if (errors.length > 0) {
            // A reason against any redelivery comes before errors of the body.
            const [judged] = await judgeRedelivery(tx, buyerKey, [deliveryId]);
            return judged?.ok === false
              ? notNow(judged.reason)
              : refuse({ status: 422, code: 'validation_failed', errors });
          }
          const report = await requestRedelivery(tx, { deliveryIds: [deliveryId], buyerKey, ...author, revive }, now);
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
