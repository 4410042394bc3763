// Records the results of attempts at messages and their consequences: done, due again, or a dead letter for the operator (contract 4.10).
// A batch of results shares one transaction; repeating it changes nothing.
import { timeOfId } from '../base/id-time.ts';
import { type BreakerPolicy, endpointName, type EndpointResult } from '../endpoints/breaker.rules.ts';
import { deleteHealth } from '../endpoints/health.ts';
import { type EndedAttempt, lockErased, logEndedAttempts, logLostAttempts } from '../endpoints/log-attempts.ts';
import { recordResults } from '../endpoints/record-results.ts';
import { raiseEndpointNotices } from '../notices/endpoint-notices.ts';
import type { Tx } from '../platform/database/database.ts';
import type { Judgement } from '../platform/outbound/retry.rules.ts';
import { errorOf, factsOf, type SendOutcome } from '../platform/outbound/send-outcome.ts';
import { moveToDeadLetters } from '../platform/queue/dead-jobs.ts';
import { type CallbackResult, logResults } from './callback-log.ts';
import { deferMessages, deleteMessages, heldLeases, rescheduleMessages } from './message.sql.ts';
import { loggedAttempt } from './message-attempt.rules.ts';
import type { CallbackState, StartedMessage } from './message.ts';

export type MessageResult = {
  readonly message: StartedMessage;
  readonly outcome: SendOutcome;
  /** `dropped`: the owner no longer has this channel. */
  readonly judgement: Judgement | { readonly kind: 'dropped' };
  /** Whether a request was made: a failure before that does not count for the endpoint's health. */
  readonly wasTried: boolean;
};

export type FinishReport = {
  readonly delivered: number;
  readonly dropped: number;
  readonly retried: number;
  /** For good. */
  readonly failed: number;
  /** An endpoint recovered or was removed, so messages that waited for it are due. */
  readonly isMoreDue: boolean;
};

type ResultOf<Kind extends MessageResult['judgement']['kind']> = MessageResult & {
  readonly judgement: Extract<MessageResult['judgement'], { kind: Kind }>;
};

export async function finishMessages(
  tx: Tx,
  results: readonly MessageResult[],
  { breaker, now }: { breaker: BreakerPolicy; now: Date },
): Promise<FinishReport> {
  const logged = results.flatMap(endedAttempt);
  // A message keeps its lease when the lead of its delivery is erased. Deliveries first, as the erasure locks them.
  const erased = await lockErased(
    tx,
    logged.map(({ deliveryId }) => deliveryId),
  );
  const rows = await tx.query(heldLeases, {
    messageIds: results.map(({ message }) => message.messageId),
    leaseIds: results.map(({ message }) => message.leaseId),
  });
  const held = new Set(rows.map((row) => row.leaseId));
  // A success counts even if the lease was lost; only the lease holder may record a failure.
  const delivered = ofKind('delivered', results);
  const taken = new Set(delivered.map(({ message }) => message.messageId));
  const open = results.filter(({ message }) => held.has(message.leaseId) && !taken.has(message.messageId));
  const dropped = ofKind('dropped', open);
  const failed = ofKind('failed', open);
  const retried = ofKind('retry', open);
  await endMessages(tx, [...delivered, ...dropped, ...failed]);
  logEndedAttempts(tx, logged, erased);
  await reschedule(tx, retried, ofKind('deferred', open));
  for (const result of failed) await moveMessage(tx, result, now);
  await logResults(tx, [...delivered, ...dropped, ...failed, ...retried].map(callbackResult), now);
  await resetAbandonedEndpoints(tx, dropped, now);
  const health = await recordResults(tx, results.flatMap(endpointResult), breaker, now);
  await raiseEndpointNotices(tx, health, now);
  return {
    delivered: delivered.length,
    dropped: dropped.length,
    retried: retried.length,
    failed: failed.length,
    isMoreDue: health.closed.length > 0 || dropped.some(({ message }) => message.job.isProbe),
  };
}

function ofKind<Kind extends MessageResult['judgement']['kind']>(
  kind: Kind,
  results: readonly MessageResult[],
): ResultOf<Kind>[] {
  return results.filter((result): result is ResultOf<Kind> => result.judgement.kind === kind);
}

function endedAttempt({ message, outcome, judgement }: MessageResult): EndedAttempt[] {
  const attempt = loggedAttempt(message);
  return attempt === null || judgement.kind === 'dropped' ? [] : [{ ...attempt, outcome, judgement }];
}

/** Attempts of other workers at the same messages are lost, unless their results are logged as well. */
async function endMessages(tx: Tx, done: readonly MessageResult[]): Promise<void> {
  if (done.length === 0) return;
  const unfinished = await tx.query(deleteMessages, {
    messageIds: done.map(({ message }) => message.messageId),
    leaseIds: done.map(({ message }) => message.leaseId),
  });
  const ended = new Map(done.map(({ message }) => [message.messageId, loggedAttempt(message)]));
  const lost = unfinished.flatMap(({ messageId, leaseId: attemptId, number }) => {
    const attempt = ended.get(messageId) ?? null;
    return attempt === null ? [] : [{ ...attempt, attemptId, number, startedAt: timeOfId(attemptId) }];
  });
  logLostAttempts(tx, lost, 'interrupted');
}

async function reschedule(
  tx: Tx,
  retried: readonly ResultOf<'retry'>[],
  deferred: readonly ResultOf<'deferred'>[],
): Promise<void> {
  if (retried.length > 0) {
    await tx.query(rescheduleMessages, {
      messageIds: retried.map(({ message }) => message.messageId),
      leaseIds: retried.map(({ message }) => message.leaseId),
      dueTimes: retried.map(({ judgement }) => judgement.dueAt),
      steps: retried.map(({ judgement }) => judgement.steps),
      lastErrors: retried.map(({ outcome }) => errorOf(outcome)),
    });
  }
  if (deferred.length > 0) {
    await tx.query(deferMessages, {
      messageIds: deferred.map(({ message }) => message.messageId),
      leaseIds: deferred.map(({ message }) => message.leaseId),
      dueTimes: deferred.map(({ judgement }) => judgement.dueAt),
    });
  }
}

function callbackResult({ message, outcome, judgement }: MessageResult): CallbackResult {
  const { messageId, ownerKind, data, job } = message;
  const { responseCode } = factsOf(outcome);
  return {
    ...{ messageId, ownerKind, data, responseCode },
    state: CALLBACK_STATES[judgement.kind],
    attempts: job.attempts,
    error: judgement.kind === 'delivered' ? null : errorOf(outcome),
  };
}

/** The dead letter has the message's own id: a repeated transaction adds it once, and requeueing removes it. */
async function moveMessage(tx: Tx, { message, outcome }: MessageResult, now: Date): Promise<void> {
  const { messageId, ownerKind, ownerKey, channel, type, data, deliveryId, occurredAt, job } = message;
  const payload = {
    messageId,
    ownerKind,
    ownerKey,
    channel,
    type,
    data,
    deliveryId,
    occurredAt: occurredAt.toISOString(),
  };
  const { attempts } = job;
  await moveToDeadLetters(
    tx,
    { jobId: messageId, name: 'send-message', payload, attempts, error: errorOf(outcome) },
    now,
  );
}

/** Closes the breakers of endpoints that were removed, so that other messages that wait for them are dropped without probes. */
async function resetAbandonedEndpoints(tx: Tx, dropped: readonly MessageResult[], now: Date): Promise<void> {
  const endpoints = new Map(
    dropped.flatMap(({ message }) => (message.job.isProbe ? [[endpointName(message), message] as const] : [])),
  );
  for (const endpoint of endpoints.values()) await deleteHealth(tx, endpoint, now);
}

function endpointResult({ message, outcome, wasTried }: MessageResult): EndpointResult[] {
  if (!wasTried || outcome.kind === 'deferred') return [];
  const { ownerKind, ownerKey, channel } = message;
  return [{ ownerKind, ownerKey, channel, succeeded: outcome.kind === 'taken', error: errorOf(outcome) }];
}

const CALLBACK_STATES: Readonly<Record<MessageResult['judgement']['kind'], CallbackState>> = {
  delivered: 'delivered',
  dropped: 'dropped',
  failed: 'failed',
  retry: 'waiting',
  deferred: 'waiting',
};
