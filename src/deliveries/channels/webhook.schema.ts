// What is sent to partners' endpoints, for the OpenAPI document (contract 5.1).
import { webhookItem } from '../../messages/webhook-document.ts';

const DESCRIPTION =
  'Signed by Standard Webhooks with the secret of the partner. The id is the same on every attempt: use it to take a message once. Answer 2xx within 15 s; 410 disables the endpoint.';

/** The path item of one type; `data` is the schema of its member of that name. */
export function webhook(type: string, summary: string, data: object): object {
  return webhookItem({ type, summary, data, description: DESCRIPTION, tag: 'Buyer' });
}

export const leadWebhooks: Readonly<Record<string, object>> = {
  'lead.delivered': webhook('lead.delivered', 'A lead was sold to you', { $ref: '#/components/schemas/Delivery' }),
  'lead.test': webhook('lead.test', 'You asked for a test; the lead is nobody’s, and nothing is billed', {
    allOf: [
      { $ref: '#/components/schemas/Delivery' },
      { type: 'object', required: ['test'], properties: { test: { type: 'boolean', const: true } } },
    ],
  }),
};
