// The demo's webhook receiver, in place of the endpoints of partners and suppliers. Verifies signatures with the public library, stores no
// personal data, and exists only while the demo runs.
import { Webhook } from 'standardwebhooks';
import { Type } from 'typebox';

import { readSigningSecrets } from '../credentials/signing-secrets.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { INBOX_PATH } from './inbox-address.rules.ts';

type Received = {
  readonly at: string;
  /** The partner or the supplier. */
  readonly owner: string;
  readonly webhookId: string;
  readonly signature: 'valid' | 'invalid';
  readonly type: string | null;
  readonly deliveryRef: string | null;
  readonly payout: number | null;
};

/** As many as fit on a screen. */
const SHOWN_MAX = 50;

type DemoInboxDependencies = {
  readonly database: Database;
  readonly clock: Clock;
  readonly isDemo: () => boolean;
};

export function registerDemoInbox(app: App, { database, clock, isDemo }: DemoInboxDependencies): void {
  const received: Received[] = [];
  app.get('/demo/inbox', { schema: { hide: true } }, (_request, reply) =>
    isDemo() ? reply.send({ received }) : reply.callNotFound(),
  );
  app.post(
    `${INBOX_PATH}:owner`,
    { schema: { hide: true, params: Type.Object({ owner: Type.String() }) } },
    async (request, reply) => {
      if (!isDemo()) return reply.callNotFound();
      const now = clock.now();
      const { owner } = request.params;
      const secrets = await database.tx(async (tx) => [
        await readSigningSecrets(tx, { kind: 'buyer', key: owner }, now),
        await readSigningSecrets(tx, { kind: 'supplier', key: owner }, now),
      ]);
      const isValid = secrets.some(
        (known) => known !== null && isSigned(request.rawBody, request.headers, known.secret),
      );
      received.unshift(describe(request.body, { at: now, owner, id: request.headers['webhook-id'], isValid }));
      received.length = Math.min(received.length, SHOWN_MAX);
      return reply.code(isValid ? 200 : 401).send({ ok: isValid });
    },
  );
}

function isSigned(body: string, headers: Readonly<Record<string, unknown>>, secret: string): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === 'WebhookVerificationError') return false;
    throw error;
  }
}

type Envelope = { at: Date; owner: string; id: unknown; isValid: boolean };

function describe(body: unknown, { at, owner, id, isValid }: Envelope): Received {
  const message = body as { type?: unknown; data?: { deliveryRef?: unknown; payout?: unknown } } | null;
  const ref = message?.data?.deliveryRef;
  const payout = message?.data?.payout;
  return {
    at: at.toISOString(),
    owner,
    webhookId: typeof id === 'string' ? id : '',
    signature: isValid ? 'valid' : 'invalid',
    type: typeof message?.type === 'string' ? message.type : null,
    deliveryRef: typeof ref === 'string' ? ref : null,
    payout: typeof payout === 'number' ? payout : null,
  };
}
