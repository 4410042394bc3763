// Webhooks about claims to partners' endpoints, for the OpenAPI document (contract 5.1).
import { webhook } from '../deliveries/channels/webhook.schema.ts';

export const claimWebhooks: Readonly<Record<string, object>> = {
  'return.reviewed': webhook('return.reviewed', 'One of your returns was approved or denied', {
    $ref: '#/components/schemas/Return',
  }),
  'dispute.reviewed': webhook('dispute.reviewed', 'One of your disputes was approved or denied', {
    $ref: '#/components/schemas/Dispute',
  }),
};
