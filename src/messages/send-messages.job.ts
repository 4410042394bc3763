// Sends messages to suppliers and partners: gives the dispatcher of endpoint queues its steps to lease, send and settle (contract 4.10, 5.8;
// decision 007).
import { strict as assert } from 'node:assert';

import { typeId } from '../base/ids.ts';
import { endpointName } from '../endpoints/breaker.rules.ts';
import type { Brand } from '../marketplace/brand.schema.ts';
import { brandOf, type MarketplaceSettings } from '../marketplace/settings.ts';
import { noticeMail, type NoticeMail } from '../notices/render-notice.rules.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import type { GuardedClient } from '../platform/outbound/guarded-client.ts';
import type { Mailer } from '../platform/outbound/mail/mail.ts';
import { giveUp, isUsedUp, judge } from '../platform/outbound/retry.rules.ts';
import { notTried, outcomeOfHttp } from '../platform/outbound/send-outcome.ts';
import { signedPost, webhookBody } from '../platform/outbound/signed-post.ts';
import { type Dispatcher, startDispatcher } from '../platform/queue/dispatcher.ts';
import type { Slots } from '../platform/queue/share-slots.rules.ts';
import type { Wakeups } from '../platform/queue/wakeups.ts';
import { beginMessages, dueQueues } from './begin-messages.ts';
import { finishMessages, type FinishReport, type MessageResult } from './finish-messages.ts';
import type { MessageTarget } from './message-target.rules.ts';
import { MESSAGES_AT_ONCE } from './message.sql.ts';
import type { EndpointQueue, DueQueue, StartedMessage } from './message.ts';

export type MessengerOptions = {
  readonly database: Database;
  readonly clock: Clock;
  readonly wakeups: Wakeups;
  readonly client: GuardedClient;
  /** Errors of the other side and missing settings are outcomes, never rejections. Ends within 20 s. */
  readonly mailer: Pick<Mailer, 'send'>;
  readonly settings: () => Pick<MarketplaceSettings, 'retrySeconds' | 'breaker' | 'name' | 'brand'>;
  /** Called when a partner's endpoint responded 410, which has the same consequences as for a delivery. */
  readonly onGone: (endpoint: GoneEndpoint) => Promise<void>;
  readonly onFault: (error: unknown) => void;
  /** Of the work loop. */
  readonly pollMs?: number;
};

/** The URL that responded, which may no longer be the buyer's. */
export type GoneEndpoint = { readonly buyerKey: string; readonly webhookUrl: string };

/**
 * Few slots, because messages matter less than leads. Four hanging queues fill half of the slots, and sixteen more queues fit into the
 * other half.
 */
const SLOTS: Slots = { total: 64, perQueue: MESSAGES_AT_ONCE, perQueueWhenScarce: 2, probes: 64 };

export function startMessenger(options: MessengerOptions): Pick<Dispatcher, 'stop'> {
  const { settings } = options;
  return startDispatcher<DueQueue, StartedMessage, MessageResult, FinishReport>({
    ...options,
    topic: 'callbacks',
    slots: SLOTS,
    probeSeconds: () => settings().breaker.probeSeconds,
    queueName: (of: EndpointQueue) => endpointName(of),
    jobsPerCall: () => 1,
    due: dueQueues,
    claim: beginMessages,
    send: ([message], settle) => sendMessage(message, options, settle),
    settle: (tx, results, now) => finishMessages(tx, results, { breaker: settings().breaker, now }),
  });
}

async function sendMessage(
  message: StartedMessage,
  options: MessengerOptions,
  settle: (result: MessageResult) => Promise<FinishReport>,
): Promise<void> {
  const { clock, settings, onGone } = options;
  const { target, job, ownerKind, ownerKey } = message;
  if (target === null) {
    const outcome = notTried('The recipient no longer has this channel.');
    await settle({ message, outcome, judgement: { kind: 'dropped' }, wasTried: false });
    return;
  }
  const { retrySeconds } = settings();
  if (isUsedUp(job, retrySeconds)) {
    const outcome = notTried('No attempt is left: earlier ones were interrupted.');
    await settle({ message, outcome, judgement: giveUp(job), wasTried: false });
    return;
  }
  const sent = await trySend(message, target, options);
  // An attempt that sent nothing was no probe.
  const state = { ...job, isProbe: job.isProbe && sent.wasTried };
  const judgement = judge(sent.outcome, state, { retrySeconds, chance: Math.random(), now: clock.now() });
  await settle({ message, ...sent, judgement });
  // If the process ends here, the endpoint stays enabled until another attempt at it gets the same response.
  const isGone = judgement.kind === 'failed' && judgement.endpointGone;
  if (isGone && ownerKind === 'buyer' && target.kind === 'webhook')
    await onGone({ buyerKey: ownerKey, webhookUrl: target.url });
}

type Sent = Pick<MessageResult, 'outcome' | 'wasTried'>;

/** A message that cannot be built counts as never sent: it is tried again, and fails in the end. */
async function trySend(message: StartedMessage, target: MessageTarget, options: MessengerOptions): Promise<Sent> {
  try {
    return await send(message, target, options);
  } catch (error) {
    options.onFault(error);
    return { outcome: notTried('The message could not be made.'), wasTried: false };
  }
}

async function send(message: StartedMessage, target: MessageTarget, options: MessengerOptions): Promise<Sent> {
  const { clock, client, mailer, settings } = options;
  const id = typeId('event', message.messageId);
  if (target.kind === 'email') {
    const { to, cc, recipient } = target;
    const mail = noticeOf(message, recipient, brandOf(settings()));
    return { outcome: await mailer.send({ id, to, cc, ...mail, calendar: null }), wasTried: true };
  }
  const { url, secrets } = target;
  if (secrets.length === 0) return { outcome: notTried('There is no secret to sign with.'), wasTried: false };
  const now = clock.now();
  const body = webhookBody({ ...message, data: JSON.parse(message.data) as unknown });
  return {
    outcome: outcomeOfHttp(await client.post(signedPost({ url, id, body, secrets }, now)), now),
    wasTried: true,
  };
}

/** For messages that the last release queued: partners get their emails as notices now (contract 12.3). */
function noticeOf(
  { type, data }: StartedMessage,
  recipient: { readonly name: string; readonly timeZone: string },
  brand: Brand,
): NoticeMail {
  assert(type === 'endpoint.disabled', 'there is no mail for messages of this type');
  const reader = { ...recipient, currency: '', publicUrl: null };
  return noticeMail([{ kind: type, data: JSON.parse(data) as unknown }], reader, brand);
}
