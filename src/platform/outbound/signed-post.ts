// Builds the body and the signed POST of a message, as Standard Webhooks defines them (contract 5.1). A message has the same id and body on
// every attempt; only the time of sending and thus the signatures differ.
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

import { createRecentCache } from '../recent-cache.ts';
import type { PostRequest } from './http-outcome.ts';

export type Message = {
  readonly type: string;
  /** The time of the event, not of the sending. */
  readonly occurredAt: Date;
  readonly data: unknown;
};

/** The exact text that is signed and sent. */
export function webhookBody({ type, occurredAt, data }: Message): string {
  return JSON.stringify({ type, timestamp: occurredAt.toISOString(), data });
}

export type Envelope = {
  readonly url: string;
  /** The same on every attempt. */
  readonly id: string;
  readonly body: string;
  /** `whsec_…`; each one signs, in this order. */
  readonly secrets: readonly string[];
};

/** `now` is the time of sending, which receivers compare with their clock. */
export function signedPost({ url, id, body, secrets }: Envelope, now: Date): PostRequest {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  return {
    url,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': secrets.map((secret) => `v1,${signature(secret, `${id}.${timestamp}.${body}`)}`).join(' '),
    },
    body,
  };
}

const SECRET_PREFIX = 'whsec_';

/** Making a key takes five times as long as signing with it. */
const keys = createRecentCache<KeyObject>(10_000);

/** Node's HMAC, because the public library computes it in JavaScript, which takes several times as long. The tests verify with the library. */
function signature(secret: string, content: string): string {
  let key = keys.get(secret);
  if (key === undefined) {
    const text = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret;
    keys.set(secret, (key = createSecretKey(text, 'base64')));
  }
  return createHmac('sha256', key).update(content).digest('base64');
}
