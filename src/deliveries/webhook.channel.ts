// Webhook: a signed POST by Standard Webhooks (contract 5). The same message has the same id and body on every attempt; only the
// time of sending and so the signature differ.
import { Webhook } from 'standardwebhooks';

import type { GuardedClient } from '../platform/outbound/guarded-client.ts';
import type { HttpOutcome } from '../platform/outbound/http-outcome.ts';

export type WebhookMessage = {
  readonly url: string;
  /** The delivery's id on every attempt; the event's own id for other types. */
  readonly id: string;
  readonly type: 'lead.delivered' | 'lead.test' | 'return.reviewed' | 'dispute.reviewed';
  /** When what the message tells happened. */
  readonly occurredAt: Date;
  readonly data: unknown;
  /** `whsec_…`; the current one first, and for 24 h after a rotation the one before. */
  readonly secrets: readonly string[];
};

export type WebhookChannel = {
  send(message: WebhookMessage, now: Date): Promise<HttpOutcome>;
};

export function createWebhookChannel(client: GuardedClient): WebhookChannel {
  return {
    send(message, now) {
      const body = webhookBody(message);
      return client.post({ url: message.url, headers: webhookHeaders(message, body, now), body });
    },
  };
}

/** The exact text that is signed and sent. */
function webhookBody({ type, occurredAt, data }: Pick<WebhookMessage, 'type' | 'occurredAt' | 'data'>): string {
  return JSON.stringify({ type, timestamp: occurredAt.toISOString(), data });
}

function webhookHeaders({ id, secrets }: WebhookMessage, body: string, now: Date): Record<string, string> {
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, now, body));
  return {
    'content-type': 'application/json',
    'user-agent': 'lead-marketplace',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': signatures.join(' '),
  };
}
