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
import type { ShownRequest } from '../../scopes/webhook-trial.schema.ts';
import { shownTestRequest } from '../../scopes/webhook-trial.ts';
import { TestDeliverySchema, type TestRequest } from './test-delivery.schema.ts';

const extras: TestDeliveryExtras = {
  preview(test) {
    if (test.recipient.custom === null) return { request: standardRequest(test, null), error: null };
    const { request, error } = shownTestRequest(test);
    return { request: customRequest(test, request), error };
  },
  sent: (test, sentAt, { rule }) => ({
    request:
      test.recipient.custom === null
        ? standardRequest(test, sentAt)
        : customRequest(test, shownTestRequest(test).request),
    rule,
  }),
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

/** A preview shows an example URL where none is set. */
function customRequest({ target }: TestDelivery, request: ShownRequest | null): TestRequest | null {
  if (request === null) return null;
  const headers = Object.entries(request.headers).map(([name, value]) => ({ name, value }));
  return { ...request, url: target === null ? null : request.url, headers, isSigned: false };
}

/** Rebuilds the request after it was sent: the same message at the same time has the same signature. */
function standardRequest(
  { target: url, parcel, recipient: { secrets } }: TestDelivery,
  sentAt: Date | null,
): TestRequest {
  const body = leadBody(parcel);
  const request = { method: 'POST', url, body, isSigned: true };
  if (url === null || sentAt === null) return { ...request, headers: [...unsigned(parcel.id)] };
  const { headers } = signedPost({ url, id: parcel.id, body, secrets }, sentAt);
  return { ...request, headers: Object.entries(headers).map(([name, value]) => ({ name, value })) };
}

function unsigned(id: string): TestRequest['headers'] {
  return [
    { name: 'content-type', value: 'application/json' },
    { name: 'webhook-id', value: id },
    { name: 'webhook-timestamp', value: null },
    { name: 'webhook-signature', value: null },
  ];
}
