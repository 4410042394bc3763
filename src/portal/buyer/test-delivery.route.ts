// POST /portal/api/buyer/test-delivery: a test delivery, or its preview, with the exact request, for developers of the receiving endpoint.
import { betaGate } from '../../buyers/buyer-gates.ts';
import type { App } from '../../platform/http/app.ts';
import { signedPost } from '../../platform/outbound/signed-post.ts';
import {
  respondToTestDelivery,
  type TestDeliveryExtras,
} from '../../deliveries/test-delivery/test-delivery-response.route.ts';
import type { TestDelivery } from '../../deliveries/test-delivery/run-test-delivery.ts';
import { TestDeliveryBodySchema } from '../../deliveries/test-delivery/test-delivery.schema.ts';
import type { TestDeliveryDependencies } from '../../deliveries/test-delivery/test-delivery.route.ts';
import { leadBody } from '../../deliveries/channels/channel.ts';
import { TestDeliverySchema, type TestRequest } from './test-delivery.schema.ts';

const extras: TestDeliveryExtras = {
  preview: (test) => ({ request: requestOf(test, null) }),
  sent: (test, sentAt) => ({ request: requestOf(test, sentAt) }),
};

export function registerPortalTestDelivery(scope: App, dependencies: TestDeliveryDependencies): void {
  scope.post(
    '/api/buyer/test-delivery',
    {
      onRequest: betaGate('test-delivery', dependencies.buyerOf),
      attachValidation: true,
      schema: {
        body: TestDeliveryBodySchema,
        response: {
          200: {
            description: 'As in the API, with the request.',
            content: { 'application/json': { schema: TestDeliverySchema } },
          },
        },
      },
    },
    async (request, reply) => {
      await respondToTestDelivery(request, reply, { services: dependencies, extras });
      return reply;
    },
  );
}

/** Rebuilds the request after it was sent: the same message at the same time has the same signature. */
function requestOf(
  { webhookUrl: url, parcel, recipient: { secrets } }: TestDelivery,
  sentAt: Date | null,
): TestRequest {
  const body = leadBody(parcel);
  if (url === null || sentAt === null) return { method: 'POST', url, headers: [...unsigned(parcel.id)], body };
  const { headers } = signedPost({ url, id: parcel.id, body, secrets }, sentAt);
  return { method: 'POST', url, headers: Object.entries(headers).map(([name, value]) => ({ name, value })), body };
}

function unsigned(id: string): TestRequest['headers'] {
  return [
    { name: 'content-type', value: 'application/json' },
    { name: 'webhook-id', value: id },
    { name: 'webhook-timestamp', value: null },
    { name: 'webhook-signature', value: null },
  ];
}
