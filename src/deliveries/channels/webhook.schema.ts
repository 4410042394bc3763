// The OpenAPI descriptions of the webhooks to partners' endpoints (contract 5.1).
import { webhookItem } from '../../messages/webhook-document.ts';

const DESCRIPTION =
  'Signed by Standard Webhooks with the secret of the partner. The id is the same on every attempt: use it to process a message once. Respond 2xx within 15 s; 410 disables the endpoint.';

/** The path item of one type of message; `data` is the schema of the message's `data`. */
export function webhook(type: string, summary: string, data: object): object {
  return webhookItem({ type, summary, data, description: DESCRIPTION, tag: 'Buyer' });
}

export const leadWebhooks: Readonly<Record<string, object>> = {
  'lead.delivered': webhook('lead.delivered', 'A lead was sold to you', { $ref: '#/components/schemas/Delivery' }),
  'lead.test': webhook('lead.test', 'You requested a test; the lead is fictional, and nothing is billed', {
    allOf: [
      { $ref: '#/components/schemas/Delivery' },
      { type: 'object', required: ['test'], properties: { test: { type: 'boolean', const: true } } },
    ],
  }),
};
