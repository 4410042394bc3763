// Carries messages to suppliers and partners: leases due ones, sends them side by side with a bound per lane, and writes results down in
// batches. An endpoint that hangs fills its own places and nobody else's (contract 4.10, 5.8; decision 007).
import { strict as assert } from 'node:assert';

import { typeId } from '../base/ids.ts';
import { endpointName } from '../endpoints/breaker.rules.ts';
import type { MarketplaceSettings } from '../marketplace/settings.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { createMicroBatch, type MicroBatch } from '../platform/database/micro-batch.ts';
import { repeatThroughOutage } from '../platform/database/repeat-through-outage.ts';
import { repeatTransient } from '../platform/database/repeat-transient.ts';
import type { GuardedClient } from '../platform/outbound/guarded-client.ts';
import type { Mailer } from '../platform/outbound/mail/mail.ts';
import { giveUp, isUsedUp, judge } from '../platform/outbound/retry.rules.ts';
import { notTried, outcomeOfHttp } from '../platform/outbound/send-outcome.ts';
import { signedPost, webhookBody } from '../platform/outbound/signed-post.ts';
import { sharePlaces } from '../platform/queue/share-places.rules.ts';
import { startWorkLoop } from '../platform/queue/work-loop.ts';
import type { Wakeups } from '../platform/queue/wakeups.ts';
import { beginMessages, type DueLane, lanesWithDueMessages, type StartedMessage } from './begin-messages.ts';
import { finishMessages, type FinishReport, type MessageResult } from './finish-messages.ts';
import type { MessageTarget } from './message-target.rules.ts';
import { noticeMail, type NoticeMail } from './notice-mail.rules.ts';
import { PLACES } from './places.ts';

export type MessengerOptions = {
  readonly database: Database;
  readonly clock: Clock;
  readonly wakeups: Wakeups;
  readonly client: GuardedClient;
  /** What the other side does, and what is not set up here, is an outcome and no rejection. Ends within 20 s. */
  readonly mailer: Pick<Mailer, 'send'>;
  readonly settings: () => Pick<MarketplaceSettings, 'retrySeconds' | 'breaker'>;
  /** The endpoint of a partner answered 410, whose consequences are the same whatever was sent to it. */
  readonly onGone: (endpoint: GoneEndpoint) => Promise<void>;
  readonly onFault: (error: unknown) => void;
};

/** The URL that answered, which need not be the buyer's any more. */
export type GoneEndpoint = { readonly buyerKey: string; readonly webhookUrl: string };

export type Messenger = {
  /** Takes no new messages and waits for the sendings under way, which are bounded by their own time limit. */
  stop(): Promise<void>;
};

/** The 20 s of a sending, and room for the commits around it; a dead worker's messages are sent again after it, within 60 s. */
const LEASE_MS = 40_000;
const RESULTS_PER_FLUSH = 200;
/** A result that is not written is asked for by sending again. This and the 20 s of a sending end before the lease does. */
const REPEAT_WITHIN_MS = 15_000;
/** A process that ends has 30 s for everything. */
const REPEAT_WITHIN_AT_END_MS = 5000;

export function startMessenger(options: MessengerOptions): Messenger {
  const { database, clock, wakeups, onFault } = options;
  const busy = new Map<string, number>();
  const running = new Set<Promise<void>>();
  let ending = false;
  const results = openBook(options, () => ending);

  const round = async (): Promise<boolean> => {
    if (running.size >= PLACES.inAll) return false;
    const { probeSeconds } = options.settings().breaker;
    const due = await database.tx((tx) => lanesWithDueMessages(tx, probeSeconds, clock.now()));
    const lanes = withPlaces(due, busy);
    if (lanes.length === 0) return false;
    const wish = { lanes, leaseMs: LEASE_MS, probeSeconds };
    const started = await database.tx((tx) => beginMessages(tx, wish, clock.now()));
    for (const message of started) begin(message);
    return started.length > 0;
  };

  const begin = (message: StartedMessage): void => {
    const lane = endpointName(message);
    busy.set(lane, (busy.get(lane) ?? 0) + 1);
    const sending = carry(message, options, results).finally(() => {
      running.delete(sending);
      const left = (busy.get(lane) ?? 1) - 1;
      if (left === 0) busy.delete(lane);
      else busy.set(lane, left);
      wakeups.wakeHere('callbacks');
    });
    running.add(sending);
  };

  const loop = startWorkLoop({ topic: 'callbacks', wakeups, round, onFault });
  return {
    async stop() {
      ending = true;
      await loop.stop();
      await Promise.allSettled(running);
    },
  };
}

function withPlaces(due: readonly DueLane[], busy: ReadonlyMap<string, number>): (DueLane & { messages: number })[] {
  // A broken lane gets one attempt at a time.
  const narrow = new Map(due.filter((lane) => lane.isBroken).map((lane) => [endpointName(lane), 1]));
  const places = sharePlaces(PLACES, { lanes: due.map(endpointName), narrow, busy, chance: Math.random() });
  return due.flatMap((lane) => {
    const messages = places.get(endpointName(lane)) ?? 0;
    return messages === 0 ? [] : [{ ...lane, messages }];
  });
}

type Book = MicroBatch<MessageResult, FinishReport>;

/** Where it is written down what came of attempts: a transaction that comes to the same however often it runs. */
function openBook(options: MessengerOptions, isEnding: () => boolean): Book {
  const { database, clock, wakeups } = options;
  return createMicroBatch({
    itemsPerFlush: RESULTS_PER_FLUSH,
    async flush(items) {
      const { breaker } = options.settings();
      const report = await repeatThroughOutage(
        () => repeatTransient(() => database.tx((tx) => finishMessages(tx, items, { breaker, now: clock.now() }))),
        () => (isEnding() ? REPEAT_WITHIN_AT_END_MS : REPEAT_WITHIN_MS),
      );
      if (report.isMoreDue) wakeups.wake('callbacks');
      return items.map(() => report);
    },
  });
}

/** Never rejects. */
async function carry(message: StartedMessage, options: MessengerOptions, results: Book): Promise<void> {
  const { clock, settings, onGone, onFault } = options;
  const { target, job, ownerKind, ownerKey } = message;
  try {
    if (target === null) {
      const outcome = notTried('Nobody waits for it.');
      await results.add({ message, outcome, judgement: { kind: 'dropped' }, wasTried: false });
      return;
    }
    const { retrySeconds } = settings();
    if (isUsedUp(job, retrySeconds)) {
      const outcome = notTried('No attempt is left: earlier ones were interrupted.');
      await results.add({ message, outcome, judgement: giveUp(job), wasTried: false });
      return;
    }
    const sent = await sendOrSayWhyNot(message, target, options);
    // What did not leave this house was no probe either.
    const state = { ...job, isProbe: job.isProbe && sent.wasTried };
    const judgement = judge(sent.outcome, state, { retrySeconds, chance: Math.random(), now: clock.now() });
    await results.add({ message, ...sent, judgement });
    // Should the process end in between, the next message asks the endpoint once more.
    const isGone = judgement.kind === 'failed' && judgement.endpointGone;
    if (isGone && ownerKind === 'buyer' && target.kind === 'webhook')
      await onGone({ buyerKey: ownerKey, webhookUrl: target.url });
  } catch (error) {
    // The lease ends by itself and the message is sent again; nothing is lost but time.
    onFault(error);
  }
}

type Sent = Pick<MessageResult, 'outcome' | 'wasTried'>;

/** A message that cannot even be made counts as one that never left the house: it is tried again, and fails in the end. */
async function sendOrSayWhyNot(
  message: StartedMessage,
  target: MessageTarget,
  options: MessengerOptions,
): Promise<Sent> {
  try {
    return await send(message, target, options);
  } catch (error) {
    options.onFault(error);
    return { outcome: notTried('The message could not be made.'), wasTried: false };
  }
}

async function send(message: StartedMessage, target: MessageTarget, options: MessengerOptions): Promise<Sent> {
  const { clock, client, mailer } = options;
  const id = typeId('event', message.messageId);
  if (target.kind === 'email') {
    const { to, cc, recipient } = target;
    const mail = noticeOf(message, recipient);
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

function noticeOf(
  { type, data }: StartedMessage,
  recipient: { readonly name: string; readonly timeZone: string },
): NoticeMail {
  assert(type === 'endpoint.disabled', 'there is no mail for news of this type');
  return noticeMail(type, JSON.parse(data) as Parameters<typeof noticeMail>[1], recipient);
}
