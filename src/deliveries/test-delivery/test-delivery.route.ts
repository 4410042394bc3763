// POST /api/v1/buyer/test-delivery: previews a test delivery, or sends it to the partner's webhook like a real one (contract 6.14).
import { Type } from 'typebox';

import { betaGate } from '../../buyers/buyer-gates.ts';
import type { Buyer } from '../../buyers/buyer.ts';
import type { App } from '../../platform/http/app.ts';
import { documentedProblems } from '../../platform/http/problem-schema.ts';
import {
  respondToTestDelivery,
  type TestDeliveryServices,
  type TestDeliveryExtras,
} from './test-delivery-response.route.ts';
import { PreviewSchema, SentSchema, TestDeliveryBodySchema } from './test-delivery.schema.ts';
import { leadBody } from '../channels/channel.ts';

export type TestDeliveryDependencies = TestDeliveryServices & {
  readonly buyerOf: (buyerKey: string) => Pick<Buyer, 'betaTools'>;
};

const extras: TestDeliveryExtras = {
  preview: ({ parcel }) => ({ payload: JSON.parse(leadBody(parcel)) as unknown }),
  sent: () => ({}),
};

export function registerTestDelivery(scope: App, dependencies: TestDeliveryDependencies): void {
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
          'Beta. A complete message of type `lead.test` about a fictional lead: nothing is sold, counted or billed. With `webhook` it is signed and sent once, like a real one, also while your endpoint is disabled; the attempt is listed in the delivery logs.',
        tags: ['Buyer'],
        body: TestDeliveryBodySchema,
        response: {
          200: {
            description: 'The message, or the result of sending it.',
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
    (request, reply) => respondToTestDelivery(request, reply, { services: dependencies, extras }),
  );
}
