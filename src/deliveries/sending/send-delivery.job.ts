// Sends deliveries to buyers: gives the dispatcher of endpoint queues its steps to lease, send and settle (contract 4.9, 4.10; decision 007).
import type { BadEndpoint } from '../../buyers/set-endpoint.ts';
import type { MarketplaceSettings } from '../../marketplace/settings.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { createMicroBatch, type MicroBatch } from '../../platform/database/micro-batch.ts';
import { giveUp, judge } from '../../platform/outbound/retry.rules.ts';
import { isHealthy, notTried, type SendOutcome } from '../../platform/outbound/send-outcome.ts';
import { type Call, type Dispatcher, startDispatcher } from '../../platform/queue/dispatcher.ts';
import type { Slots } from '../../platform/queue/share-slots.rules.ts';
import type { Tracing } from '../../platform/tracing/tracing.ts';
import type { Wakeups } from '../../platform/queue/wakeups.ts';
import { type AttemptContext, jobToJudge, reasonNotToSend } from './judge-attempt.rules.ts';
import { beginAttempts, dueQueues, parcelOf, type StartedAttempt } from './begin-attempts.ts';
import type { DeliveryChannels } from '../channels/channel.ts';
import { disableEndpoints } from './switch-endpoints.ts';
import { type EndpointQueue, queueName, type DueQueue } from './endpoint-queue.rules.ts';
import { type AttemptResult, finishAttempts, type FinishReport } from './finish-attempts.ts';
import { JOBS_AT_ONCE } from './send.sql.ts';
import { traceAttempt } from './trace-attempt.ts';

export type SenderOptions = {
  readonly database: Database;
  readonly clock: Clock;
  readonly wakeups: Wakeups;
  readonly channels: DeliveryChannels;
  readonly settings: () => MarketplaceSettings;
  /** Called after the commit, so that other slices can react. */
  readonly onFinished: (report: FinishReport) => void;
  readonly onFault: (error: unknown) => void;
  /** Null where no traces are exported. */
  readonly tracing?: Tracing | null;
  /** Of the work loop. */
  readonly pollMs?: number;
};

/**
 * Enough for more than 1,000 deliveries a second at response times of 100 ms. Eight hanging queues fill half of the slots, and thirty-two
 * more queues fit into the other half.
 */
const SLOTS: Slots = { total: 256, perQueue: 16, perQueueWhenScarce: 4, probes: 64 };

export function startSender(options: SenderOptions): Pick<Dispatcher, 'stop'> {
  const { clock, wakeups, channels, settings } = options;
  const dispatcher = startDispatcher<DueQueue, StartedAttempt, AttemptResult, FinishReport>({
    ...options,
    topic: 'sending',
    slots: SLOTS,
    probeSeconds: () => settings().breaker.probeSeconds,
    queueName: (of: EndpointQueue) => queueName(of),
    jobsPerCall: ({ channel }: EndpointQueue) => Math.min(channels[channel].parcelsPerCall, JOBS_AT_ONCE),
    due: dueQueues,
    claim: beginAttempts,
    send: (call, settle) => sendCall(call, { ...options, settle, badEndpoints }),
    settle: (tx, results, now) => finishAttempts(tx, results, { breaker: settings().breaker, now }),
    onSettled(report) {
      if (report.rerouted.length > 0) wakeups.wake('routing');
      options.onFinished(report);
    },
  });
  // Not in the transaction of the results, because it waits for the lock on configuration; one flush at a time, to wait on one connection.
  const badEndpoints = createMicroBatch<Omit<BadEndpoint, 'waiting'>, null>({
    flushesAtOnce: 1,
    async flush(items) {
      await dispatcher.persist((tx) => disableEndpoints(tx, items, clock.now()));
      wakeups.wake('callbacks');
      return items.map(() => null);
    },
  });
  return dispatcher;
}

type CallOptions = SenderOptions & {
  readonly settle: (result: AttemptResult) => Promise<FinishReport>;
  readonly badEndpoints: MicroBatch<Omit<BadEndpoint, 'waiting'>, null>;
};

async function sendCall(call: Call<StartedAttempt>, options: CallOptions): Promise<void> {
  const { clock, settle, badEndpoints, tracing = null } = options;
  const { retrySeconds } = options.settings();
  const reasons = new Map(call.map((attempt) => [attempt, reasonNotToSend(contextOf(attempt), retrySeconds)]));
  const outcomes = await sendAll(
    call.filter((attempt) => reasons.get(attempt) === null),
    options,
  );
  /** A call counts at most once as a success and once as a failure of its endpoint, however many jobs it has. */
  const counted = new Set<boolean>();
  await Promise.all(
    call.map(async (attempt) => {
      const outcome = outcomes.get(attempt) ?? UNMADE;
      const now = clock.now();
      const { attemptId, deliveryId, buyerKey, channel, target, number, startedAt, purpose, job, recipient } = attempt;
      const why = reasons.get(attempt) ?? null;
      const wasMade = why === null && outcome !== UNMADE;
      const judgement =
        why === null
          ? judge(outcome, jobToJudge(contextOf(attempt), { wasMade, retrySeconds, now }), {
              retrySeconds,
              chance: Math.random(),
              now,
            })
          : giveUp(job);
      const wasTried = wasMade && outcome.kind !== 'deferred' && !counted.has(isHealthy(outcome));
      if (wasTried) counted.add(isHealthy(outcome));
      const result: AttemptResult = {
        ...{ attemptId, deliveryId, buyerKey, channel, target, number, startedAt, purpose, judgement, wasTried },
        outcome: why === null ? outcome : notTried(why),
      };
      const report = await settle(result);
      if (tracing !== null) {
        traceAttempt(tracing, attempt, { result, endedAt: now, storedAt: clock.now(), report });
      }
      // If the process ends here, the endpoint stays enabled until another attempt at it gets the same result.
      const { webhookUrl } = recipient.settings;
      if (channel !== 'webhook' || webhookUrl === null) return;
      const long = report.longBroken.find((queue) => queueName(queue) === queueName(attempt));
      if (judgement.kind === 'failed' && judgement.endpointGone) {
        await badEndpoints.add({ buyerKey, webhookUrl, reason: 'gone', since: now });
      } else if (long !== undefined) {
        await badEndpoints.add({ buyerKey, webhookUrl, reason: 'failing', since: long.since });
      }
    }),
  );
}

function contextOf({ row, recipient, ...attempt }: StartedAttempt): AttemptContext {
  return { ...attempt, isErased: row.fields === null, hasWebhook: recipient.settings.webhookUrl !== null };
}

/** A message that cannot be built counts as never sent: it is tried again, and fails in the end. */
const UNMADE = notTried('The message could not be made.');

/** Outcomes by attempt; attempts whose message could not be built are missing. */
async function sendAll(
  attempts: readonly StartedAttempt[],
  { channels, clock, onFault }: SenderOptions,
): Promise<ReadonlyMap<StartedAttempt, SendOutcome>> {
  const now = clock.now();
  const made = attempts.flatMap((attempt) => {
    try {
      return [{ attempt, parcel: parcelOf(attempt, now) }];
    } catch (error) {
      onFault(error);
      return [];
    }
  });
  const outcomes = new Map<StartedAttempt, SendOutcome>();
  const [first] = made;
  if (first === undefined) return outcomes;
  const { channel, recipient } = first.attempt;
  try {
    const responses = await channels[channel].send(
      recipient,
      made.map(({ parcel }) => parcel),
      now,
    );
    for (const [index, { attempt }] of made.entries()) outcomes.set(attempt, responses[index] ?? UNMADE);
  } catch (error) {
    onFault(error);
  }
  return outcomes;
}
