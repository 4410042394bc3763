// The request and the responses of a test delivery (contract 6.14).
import { type Static, Type } from 'typebox';

import { saleExample } from '../delivery.schema.ts';
import { orNull } from '../../platform/http/values.schema.ts';

const isTest = Type.Boolean({ const: true });
const isBillable = Type.Boolean({ const: false, description: 'Nothing is billed for a test' });

export const TestDeliveryBodySchema = Type.Object(
  {
    target: Type.Enum(['preview', 'webhook'], {
      description: 'preview shows the message that would be sent; webhook sends it to your webhookUrl',
    }),
  },
  { additionalProperties: false, examples: [{ target: 'preview' }] },
);

export type TestDeliveryBody = Static<typeof TestDeliveryBodySchema>;

export const PreviewSchema = Type.Object(
  {
    target: Type.String({ const: 'preview' }),
    test: isTest,
    billable: isBillable,
    payload: Type.Object(
      {
        type: Type.String({ const: 'lead.test' }),
        timestamp: Type.String({ format: 'date-time' }),
        data: Type.Intersect([Type.Ref('Delivery'), Type.Object({ test: isTest })], {
          description: 'A delivery as in the list of leads, marked as a test',
        }),
      },
      { description: 'The body that would be sent' },
    ),
  },
  {
    $id: 'TestDeliveryPreview',
    description: 'The message of a test delivery, which was not sent',
    examples: [
      {
        target: 'preview',
        test: true,
        billable: false,
        payload: {
          type: 'lead.test',
          timestamp: '2026-11-20T17:03:12.418Z',
          data: { ...saleExample, deliveryRef: 'LS-100000', status: 'Pending', test: true },
        },
      },
    ],
  },
);

export const SentSchema = Type.Object(
  {
    target: Type.String({ const: 'webhook' }),
    test: isTest,
    billable: isBillable,
    delivered: Type.Boolean({ description: 'Whether your endpoint responded 2xx' }),
    responseCode: orNull(Type.Integer({ description: 'Null if there was no response', examples: [200] })),
    responseSnippet: orNull(Type.String({ description: 'The beginning of the response, at most 1 KiB' })),
    latencyMs: Type.Integer({ minimum: 0, description: 'Milliseconds until the response began' }),
    error: orNull(Type.String({ description: 'Why there was no response', examples: ['The connection was refused.'] })),
    attemptId: Type.String({ description: 'Also the `webhook-id`', examples: ['att_01m7wyk0j5f8mv2xk4qd0zt9ra'] }),
  },
  {
    $id: 'TestDeliveryResult',
    description: 'The result of sending a test delivery',
    examples: [
      {
        target: 'webhook',
        test: true,
        billable: false,
        delivered: true,
        responseCode: 200,
        responseSnippet: '{"ok":true}',
        latencyMs: 93,
        error: null,
        attemptId: 'att_01m7wyk0j5f8mv2xk4qd0zt9ra',
      },
    ],
  },
);
