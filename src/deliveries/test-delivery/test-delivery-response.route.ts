// Runs a test delivery from request to response, once per Idempotency-Key, for the API and the portal (contract 6.14).
import type { FastifyReply, FastifyRequest } from 'fastify';

import { typeId } from '../../base/ids.ts';
import type { Vertical } from '../../marketplace/verticals.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { jsonResponse, problemResponse } from '../../platform/http/idempotency.ts';
import { respondInSteps } from '../../platform/http/idempotent-steps.ts';
import { principalOf } from '../../platform/http/scope.ts';
import type { AllowedTargets } from '../../platform/outbound/target.rules.ts';
import {
  beginTestDelivery,
  type TestDelivery,
  finishTestDelivery,
  sendTestDelivery,
  type TestResult,
} from './run-test-delivery.ts';
import type { DeliveryChannels } from '../channels/channel.ts';

export type TestDeliveryServices = {
  readonly database: Database;
  readonly clock: Clock;
  readonly channels: DeliveryChannels;
  readonly allowTargets: AllowedTargets;
  /** By key. */
  readonly verticals: () => ReadonlyMap<string, Vertical>;
};

/** The members of the two responses that the API and the portal fill differently. */
export type TestDeliveryExtras = {
  readonly preview: (test: TestDelivery) => object;
  readonly sent: (test: TestDelivery, sentAt: Date, result: Pick<TestResult, 'rule'>) => object;
};

type Sent = TestResult & { readonly sentAt: Date };

/** For POST routes with `attachValidation: true` whose body has the `target`. */
export function respondToTestDelivery(
  request: FastifyRequest<{ Body: { target: 'preview' | 'webhook' } }>,
  reply: FastifyReply,
  {
    services: { database, clock, channels, allowTargets, verticals },
    extras,
    buyerKey = principalOf(request).ownerKey,
  }: { services: TestDeliveryServices; extras: TestDeliveryExtras; buyerKey?: string },
): Promise<FastifyReply> {
  const now = clock.now();
  return respondInSteps<TestDelivery, Sent>({
    ...{ database, request, reply, now },
    async begin(tx) {
      const toSend = request.body.target === 'webhook';
      const test = await beginTestDelivery(tx, { buyerKey, channel: 'webhook', toSend, verticals: verticals() }, now);
      if (!toSend) {
        return {
          response: jsonResponse(200, { target: 'preview', test: true, billable: false, ...extras.preview(test) }),
        };
      }
      if (test.target !== null) return { started: test };
      return { response: problemResponse(request, reply, { status: 409, code: 'webhook_not_configured' }) };
    },
    async outside(test) {
      const sentAt = clock.now();
      return { ...(await sendTestDelivery(test, { sender: channels.webhook, allowTargets }, sentAt)), sentAt };
    },
    async finish(tx, test, { sentAt, ...result }) {
      await finishTestDelivery(tx, test.attemptId, result);
      const { blocked, delivered, responseCode, responseSnippet, latencyMs, error } = result;
      if (blocked !== null) {
        return problemResponse(request, reply, { status: 422, code: 'webhook_url_blocked', detail: blocked });
      }
      return jsonResponse(200, {
        ...{ target: 'webhook', test: true, billable: false },
        ...{ delivered, responseCode, responseSnippet, latencyMs, error },
        attemptId: typeId('attempt', test.attemptId),
        ...extras.sent(test, sentAt, result),
      });
    },
  });
}
