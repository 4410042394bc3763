// Describes the messages to suppliers' callbacks for the OpenAPI document (contract 5.8).
import { webhookItem } from '../messages/webhook-document.ts';
import type { CallbackEvent } from './supplier.ts';

const DESCRIPTION =
  'Signed by Standard Webhooks with the secret of the supplier, and sent only if the supplier’s callback includes this type. The id is the same on every attempt: use it to process a message once. Respond 2xx within 15 s.';

export const callbackSummaries = {
  'lead.processing_error': 'An accepted lead could not be processed, or was rejected',
  'lead.routed': 'A lead was sold',
  'lead.rejected': 'An accepted lead was rejected',
  'lead.returned': 'A buyer’s return or dispute of a lead was approved',
} as const satisfies Record<CallbackEvent, string>;

const nullable = (description: string) => ({ type: ['string', 'null'], description });

const dataSchema = {
  type: 'object',
  description: 'Never contains the buyer of the lead, or its price.',
  required: ['lead_id', 'external_id', 'status', 'reason', 'occurredAt'],
  properties: {
    lead_id: { type: 'string', examples: ['lead_01m7xnp2vpe9rtj82p033hep4t'] },
    external_id: nullable('Your own identifier of the lead; null if you sent none.'),
    status: {
      type: 'string',
      enum: ['Pending', 'Lead Sale', 'Calendar Assigned', 'Duplicate', 'No Buyer', 'Invalid', 'Suppressed'],
      description: 'The public status, as in your statistics.',
      examples: ['Duplicate'],
    },
    reason: nullable(
      '`duplicate`, `no_buyer` or `suppressed` for a rejected lead, `processing_failed` for a lead that could not be processed, the reason for a return; null for a sold lead.',
    ),
    occurredAt: { type: 'string', format: 'date-time', description: 'When it happened, UTC.' },
  },
};

export const callbackWebhooks: Readonly<Record<string, object>> = Object.fromEntries(
  Object.entries(callbackSummaries).map(([type, summary]) => [
    type,
    webhookItem({ type, summary, description: DESCRIPTION, tag: 'Supplier', data: dataSchema }),
  ]),
);
