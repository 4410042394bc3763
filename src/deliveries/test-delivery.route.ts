// POST /api/v1/buyer/test-delivery: shows a test, or sends it to the partner's webhook by the way of real deliveries (contract 6).
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import { typeId } from '../base/ids.ts';
import { betaGate } from '../buyers/beta-gate.ts';
import type { Buyer } from '../buyers/buyer.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { type Answer, jsonAnswer, problemAnswer } from '../platform/http/idempotency.ts';
import { answerInSteps } from '../platform/http/idempotent-steps.ts';
import { documentedProblems } from '../platform/http/problem-schema.ts';
import { principalOf } from '../platform/http/scope.ts';
import { beginTestDelivery, type TestDelivery } from './begin-test-delivery.ts';
import type { DeliveryChannel } from './channel.ts';
import { finishTestDelivery } from './finish-test-delivery.ts';
import { sendTestDelivery, type TestResult } from './send-test-delivery.ts';
import { PreviewSchema, SentSchema } from './test-delivery-schema.ts';
import { leadBody } from './webhook.channel.ts';

export type TestDeliveryDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  readonly buyerOf: (buyerKey: string) => Pick<Buyer, 'betaTools'>;
  readonly webhook: DeliveryChannel;
  /** Exact origins that the target rules do not hold for. */
  readonly allowTargets: readonly string[];
};

const BodySchema = Type.Object(
  {
    target: Type.Enum(['preview', 'webhook'], {
      description: 'preview shows the message that would be sent; webhook sends it to your webhookUrl',
    }),
  },
  { additionalProperties: false, examples: [{ target: 'preview' }] },
);

export function registerTestDelivery(scope: App, dependencies: TestDeliveryDependencies): void {
  const { database, clock, webhook, allowTargets } = dependencies;
  for (const schema of [PreviewSchema, SentSchema]) scope.addSchema(schema);
  scope.post(
    '/api/v1/buyer/test-delivery',
    {
      onRequest: betaGate('test-delivery', dependencies.buyerOf),
      attachValidation: true,
      schema: {
        operationId: 'sendTestDelivery',
        summary: 'Send a test delivery',
        description:
          'Beta. A complete message of type `lead.test` about a lead of nobody: nothing is sold, counted or billed. With `webhook` it is signed and sent once, as a real one, also while your endpoint is disabled; the attempt stands in the delivery logs.',
        tags: ['Buyer'],
        body: BodySchema,
        response: {
          200: {
            description: 'The message, or what came of sending it.',
            content: {
              'application/json': {
                schema: { oneOf: [Type.Ref('TestDeliveryPreview'), Type.Ref('TestDeliveryResult')] },
              },
            },
          },
          ...documentedProblems(
            'partner_suspended',
            'beta_not_enabled',
            'webhook_not_configured',
            'validation_failed',
            'webhook_url_blocked',
          ),
        },
      },
    },
    (request, reply) => {
      const now = clock.now();
      const { ownerKey: buyerKey } = principalOf(request);
      return answerInSteps<TestDelivery, TestResult>({
        ...{ database, request, reply, now },
        async begin(tx) {
          const toSend = request.body.target === 'webhook';
          const test = await beginTestDelivery(tx, { buyerKey, toSend }, now);
          if (!toSend) return { answer: previewAnswer(test) };
          if (test.webhookUrl !== null) return { started: test };
          return { answer: problemAnswer(request, reply, { status: 409, code: 'webhook_not_configured' }) };
        },
        outside: (test) => sendTestDelivery(test, { webhook, allowTargets }, clock.now()),
        async finish(tx, { attemptId }, result) {
          await finishTestDelivery(tx, attemptId, result);
          return result.blocked === null
            ? sentAnswer(attemptId, result)
            : blockedAnswer(request, reply, result.blocked);
        },
      });
    },
  );
}

function previewAnswer({ parcel }: TestDelivery): Answer {
  const payload: unknown = JSON.parse(leadBody(parcel));
  return jsonAnswer(200, { target: 'preview', test: true, billable: false, payload });
}

function sentAnswer(attemptId: string, result: TestResult): Answer {
  const { delivered, responseCode, responseSnippet, latencyMs, error } = result;
  return jsonAnswer(200, {
    ...{ target: 'webhook', test: true, billable: false },
    ...{ delivered, responseCode, responseSnippet, latencyMs, error },
    attemptId: typeId('attempt', attemptId),
  });
}

function blockedAnswer(request: FastifyRequest, reply: FastifyReply, detail: string): Answer {
  return problemAnswer(request, reply, { status: 422, code: 'webhook_url_blocked', detail });
}
