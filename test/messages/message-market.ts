// A marketplace whose messages are carried by messengers that a test starts, with real receivers and a clock that stands still.
import { expect } from 'vitest';

import { readSigningSecrets } from '../../src/credentials/signing-secrets.ts';
import type { NewMessage } from '../../src/messages/message.ts';
import { queueMessages } from '../../src/messages/message-queue.ts';
import { type GoneEndpoint, startMessenger } from '../../src/messages/send-messages.job.ts';
import type { Mail } from '../../src/platform/outbound/mail/mail.ts';
import { defaultSettings, type MarketplaceSettings } from '../../src/marketplace/settings.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { createGuardedClient } from '../../src/platform/outbound/guarded-client.ts';
import type { SendOutcome } from '../../src/platform/outbound/send-outcome.ts';
import type { Dispatcher } from '../../src/platform/queue/dispatcher.ts';
import { createWakeups, type Wakeups } from '../../src/platform/queue/wakeups.ts';
import { select } from '../support/ledger-faults.ts';
import { eventually } from '../support/eventually.ts';
import { type HandClock, handClock } from '../support/hand-clock.ts';
import { ignoreMessages } from '../support/openapi/watch-responses.ts';
import { type ReceivedRequest, type Receiver, type Reply, startReceiver } from '../support/receiver.ts';
import { type StoredMarket, storeMarket } from '../support/stored-market.ts';

type Messenger = Pick<Dispatcher, 'stop'>;

export const SECOND = 1000;
/** Far more than any test takes: what hangs is ended by the test. */
const NEVER_MS = 600_000;

export type WaitingMessage = {
  readonly messageId: string;
  readonly ownerKey: string;
  readonly attempts: number;
  readonly steps: number;
  readonly isLeased: boolean;
  readonly dueAt: Date;
  readonly lastError: string | null;
};
export type DeadMessage = {
  readonly jobId: string;
  readonly name: string;
  readonly attempts: number;
  readonly error: string;
};

export type MessageMarket = StoredMarket & {
  readonly clock: HandClock;
  readonly wakeups: Wakeups;
  readonly mails: Mail[];
  readonly gone: GoneEndpoint[];
  /** What was reported as a fault; a test that expects some empties it. */
  readonly faults: unknown[];
  start(database?: Database): Messenger;
  notify(...messages: readonly NewMessage[]): Promise<void>;
  /** Lets time pass, and the messengers notice it at once. */
  pass(ms: number): void;
  waiting(): Promise<WaitingMessage[]>;
  /** Once no message is queued any more. */
  onceEmpty(): Promise<void>;
  /** The messages that are queued, as soon as so many of them are and no attempt is under way, `attempts` of them made in all. */
  onceAtRest(queued: number, attempts: number): Promise<WaitingMessage[]>;
  dead(): Promise<DeadMessage[]>;
  isBroken(ownerKey: string): Promise<boolean>;
  secretsOf(kind: 'supplier' | 'buyer', key: string): Promise<{ current: string; previous: string | null }>;
};

export type MarketOptions = {
  readonly yaml: string;
  readonly receivers?: readonly Receiver[];
  readonly settings?: Partial<Pick<MarketplaceSettings, 'retrySeconds' | 'breaker'>>;
  readonly mail?: (mail: Mail) => Promise<SendOutcome> | SendOutcome;
};

const open: Array<() => Promise<void>> = [];

/** To be called after each test. */
export async function closeAll(): Promise<void> {
  for (const close of open.splice(0).toReversed()) await close();
}

export async function receive(
  respond: (request: ReceivedRequest) => Reply | Promise<Reply> = () => ({ status: 200 }),
): Promise<Receiver> {
  return startReceiver({ respond });
}

/** Answers in turn; the last one for ever. */
export function inTurn(...replies: readonly Reply[]): () => Reply {
  let next = 0;
  return () => replies[Math.min(next++, replies.length - 1)] ?? 'reset';
}

export async function openMarket(options: MarketOptions): Promise<MessageMarket> {
  const { receivers = [] } = options;
  // At a time that the public library takes for the present.
  const clock = handClock(new Date().toISOString());
  const allowTargets = receivers.map(({ origin }) => origin);
  ignoreMessages();
  const market = await storeMarket({ yaml: options.yaml, clock, allowTargets });
  const faults: unknown[] = [];
  const onFault = (error: unknown): void => void faults.push(error);
  const wakeups = createWakeups({ database: market.database, acrossProcesses: false, onFault });
  const client = createGuardedClient({ allowTargets, totalTimeoutMs: NEVER_MS });
  const messengers: Messenger[] = [];
  const mails: Mail[] = [];
  const gone: GoneEndpoint[] = [];
  open.push(async () => {
    // First, so that what hangs comes to an end.
    await Promise.all(receivers.map((receiver) => receiver.close()));
    await Promise.all(messengers.map((messenger) => messenger.stop()));
    await client.close();
    await wakeups.close();
    await market.close();
  });
  const settings = { ...defaultSettings, ...options.settings };
  const start = (database: Database = market.database): Messenger => {
    const mailer = {
      async send(mail: Mail): Promise<SendOutcome> {
        mails.push(mail);
        return options.mail?.(mail) ?? { kind: 'taken', ...facts(250) };
      },
    };
    const messenger = startMessenger({
      ...{ database, clock, wakeups, client, mailer, onFault },
      settings: () => settings,
      onGone: async (endpoint) => void gone.push(endpoint),
    });
    messengers.push(messenger);
    return messenger;
  };
  return {
    ...market,
    ...looksAt(market),
    clock,
    wakeups,
    mails,
    gone,
    faults,
    start,
    ...movers(market, clock, wakeups),
  };
}

export function facts(responseCode: number) {
  return { responseCode, responseSnippet: null, latencyMs: 1, error: null };
}

function movers({ database }: StoredMarket, clock: HandClock, wakeups: Wakeups) {
  return {
    async notify(...messages: readonly NewMessage[]): Promise<void> {
      await database.tx((tx) => queueMessages(tx, messages, clock.now()));
      wakeups.wake('callbacks');
    },
    pass(ms: number): void {
      clock.advance(ms);
      wakeups.wake('callbacks');
    },
  };
}

function looksAt({ database }: StoredMarket) {
  const waiting = (): Promise<WaitingMessage[]> =>
    select<WaitingMessage>(
      database,
      `SELECT message_id AS "messageId", owner_key AS "ownerKey", attempts, steps, lease_id IS NOT NULL AS "isLeased",
              due_at AS "dueAt", last_error AS "lastError" FROM message_job ORDER BY message_id`,
    );
  return {
    waiting,
    async onceEmpty(): Promise<void> {
      await eventually('no message is queued any more', async () => (await waiting()).length === 0);
    },
    onceAtRest: (queued: number, attempts: number): Promise<WaitingMessage[]> =>
      eventually(`${queued} messages wait after ${attempts} attempts`, async () => {
        const rows = await waiting();
        const made = rows.reduce((sum, row) => sum + row.attempts, 0);
        return rows.length === queued && made === attempts && rows.every((row) => !row.isLeased) ? rows : null;
      }),
    dead: (): Promise<DeadMessage[]> =>
      select<DeadMessage>(database, `SELECT job_id AS "jobId", name, attempts, error FROM dead_job ORDER BY job_id`),
    async isBroken(ownerKey: string): Promise<boolean> {
      const sql = `SELECT FROM endpoint_health WHERE owner_key = $1 AND opened_at IS NOT NULL`;
      return (await select(database, sql, [ownerKey])).length > 0;
    },
    async secretsOf(kind: 'supplier' | 'buyer', key: string) {
      const secrets = await database.tx((tx) => readSigningSecrets(tx, { kind, key }, new Date()));
      if (secrets === null) throw new Error(`${key} has no secret`);
      return { current: secrets.secret, previous: secrets.previous?.secret ?? null };
    },
  };
}

/** A supplier with a callback for everything, or without one. */
function supplierYaml(key: string, url: string | null): string {
  const events = '[lead.processing_error, lead.routed, lead.rejected, lead.returned]';
  const callback = url === null ? '' : `, callback: { url: "${url}", events: ${events} }`;
  return `  - { key: ${key}, status: approved, rateLimit: { perSecond: 100000, burst: 100000 }${callback} }\n`;
}

export function suppliersYaml(urls: Readonly<Record<string, string | null>>): string {
  return `suppliers:\n${Object.entries(urls)
    .map(([key, url]) => supplierYaml(key, url))
    .join('')}`;
}

export function news(ownerKey: string, serial = 0): NewMessage {
  const data = { lead_id: `lead_${serial}`, external_id: `x-${serial}`, status: 'Lead Sale', reason: null };
  return { ownerKind: 'supplier', ownerKey, channel: 'webhook', type: 'lead.routed', data, deliveryId: null };
}

export const idOf = (request: ReceivedRequest | undefined): string => String(request?.headers['webhook-id']);

/** The same message each time. */
export function expectRepetition(requests: readonly ReceivedRequest[], times: number): void {
  expect(requests).toHaveLength(times);
  expect(new Set(requests.map((request) => `${idOf(request)} ${request.body}`)).size).toBe(1);
}
