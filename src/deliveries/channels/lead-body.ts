// The text of a lead's webhook (contract 5.1).
import { webhookBody } from '../../platform/outbound/signed-post.ts';
import type { Parcel } from './channel.ts';

/** The exact text that is signed and sent. */
export function leadBody({ isTest, occurredAt, delivery }: Parcel): string {
  return isTest
    ? webhookBody({ type: 'lead.test', occurredAt, data: { ...delivery, test: true } })
    : webhookBody({ type: 'lead.delivered', occurredAt, data: delivery });
}
