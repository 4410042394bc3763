// Writes down how attempts at messages ended and what follows: done, due again, or a dead job that waits for the operator (contract 4.10). A
// batch of results shares one transaction; whatever is repeated changes nothing.
import type { Uuid } from '../base/ids.ts';
import { type BreakerPolicy, endpointName, type EndpointResult } from '../endpoints/breaker.rules.ts';
import { forgetHealth } from '../endpoints/forget-health.ts';
import { noteResults } from '../endpoints/note-results.ts';
import type { Tx } from '../platform/database/database.ts';
import type { Judgement } from '../platform/outbound/retry.rules.ts';
import type { AttemptFacts, SendOutcome } from '../platform/outbound/send-outcome.ts';
import { buryJob } from '../platform/queue/dead-jobs.ts';
import type { StartedMessage } from './begin-messages.ts';
import { type CallbackResult, type CallbackState, logResults } from './callback-log.ts';
import {
  deferMessages,
  deleteMessages,
  finishAttempts as finish,
  heldLeases,
  rescheduleMessages,
} from './message.sql.ts';

export type MessageResult = {
  readonly message: StartedMessage;
  readonly outcome: SendOutcome;
  /** `dropped`: nobody waits for it any more. */
  readonly judgement: Judgement | { readonly kind: 'dropped' };
  /** Whether the endpoint was asked at all: what failed in this house says nothing about it. */
  readonly wasTried: boolean;
};

export type FinishReport = {
  readonly delivered: number;
  readonly dropped: number;
  readonly retried: number;
  /** For good. */
  readonly failed: number;
  /** An endpoint is back, or there no more, whose messages have waited for that. */
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
  const rows = await tx.query<{ leaseId: Uuid }>(heldLeases, [
    results.map(({ message }) => message.messageId),
    results.map(({ message }) => message.leaseId),
  ]);
  const held = new Set(rows.map((row) => row.leaseId));
  // That it was taken is true whoever holds the lease by now; what follows from a failure is for the holder to say.
  const delivered = ofKind('delivered', results);
  const taken = new Set(delivered.map(({ message }) => message.messageId));
  const open = results.filter(({ message }) => held.has(message.leaseId) && !taken.has(message.messageId));
  const dropped = ofKind('dropped', open);
  const failed = ofKind('failed', open);
  const retried = ofKind('retry', open);
  await writeAttempts(tx, results);
  const done = [...delivered, ...dropped, ...failed];
  if (done.length > 0) await tx.query(deleteMessages, [done.map(({ message }) => message.messageId)]);
  await putOff(tx, retried, ofKind('deferred', open));
  for (const result of failed) await bury(tx, result, now);
  await logResults(tx, [...delivered, ...dropped, ...failed, ...retried].map(callbackResult), now);
  await forgetAbandoned(tx, dropped, now);
  const news = await noteResults(tx, results.flatMap(endpointResult), breaker, now);
  return {
    delivered: delivered.length,
    dropped: dropped.length,
    retried: retried.length,
    failed: failed.length,
    isMoreDue: news.closed.length > 0 || dropped.some(({ message }) => message.job.isProbe),
  };
}

function ofKind<Kind extends MessageResult['judgement']['kind']>(
  kind: Kind,
  results: readonly MessageResult[],
): ResultOf<Kind>[] {
  return results.filter((result): result is ResultOf<Kind> => result.judgement.kind === kind);
}

/** Of those that stand in a log: of the others there is no row to change. */
async function writeAttempts(tx: Tx, results: readonly MessageResult[]): Promise<void> {
  const made = results.filter(
    ({ message, judgement }) => message.deliveryId !== null && !['dropped', 'deferred'].includes(judgement.kind),
  );
  if (made.length === 0) return;
  const facts = made.map(({ outcome }) => factsOf(outcome));
  await tx.query(finish, [
    made.map(({ message }) => message.leaseId),
    made.map(({ judgement }) => stateOf(judgement)),
    facts.map((fact) => fact.responseCode),
    facts.map((fact) => fact.responseSnippet),
    facts.map((fact) => Math.round(fact.latencyMs)),
    facts.map((fact) => fact.error),
    made.map(({ judgement }) => (judgement.kind === 'retry' ? judgement.dueAt : null)),
  ]);
}

async function putOff(
  tx: Tx,
  retried: readonly ResultOf<'retry'>[],
  deferred: readonly ResultOf<'deferred'>[],
): Promise<void> {
  if (retried.length > 0) {
    await tx.query(rescheduleMessages, [
      retried.map(({ message }) => message.messageId),
      retried.map(({ message }) => message.leaseId),
      retried.map(({ judgement }) => judgement.dueAt),
      retried.map(({ judgement }) => judgement.steps),
      retried.map(({ outcome }) => errorOf(outcome)),
    ]);
  }
  if (deferred.length > 0) {
    await tx.query(deferMessages, [
      deferred.map(({ message }) => message.messageId),
      deferred.map(({ message }) => message.leaseId),
      deferred.map(({ judgement }) => judgement.dueAt),
    ]);
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

/** Under its own id: it is buried once, however often this is repeated, and taken out before it is sent again. */
async function bury(tx: Tx, { message, outcome }: MessageResult, now: Date): Promise<void> {
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
  await buryJob(tx, { jobId: messageId, name: 'send-message', payload, attempts, error: errorOf(outcome) }, now);
}

/** Nobody will ask an endpoint again that is not there any more; what else waits for it would be dropped at the pace of its probes. */
async function forgetAbandoned(tx: Tx, dropped: readonly MessageResult[], now: Date): Promise<void> {
  const lanes = new Map(
    dropped.flatMap(({ message }) => (message.job.isProbe ? [[endpointName(message), message] as const] : [])),
  );
  for (const lane of lanes.values()) await forgetHealth(tx, lane, now);
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

const NO_FACTS: AttemptFacts = { responseCode: null, responseSnippet: null, latencyMs: 0, error: null };

function factsOf(outcome: SendOutcome): AttemptFacts {
  return outcome.kind === 'deferred' ? NO_FACTS : outcome;
}

function errorOf(outcome: SendOutcome): string {
  const { error, responseCode } = factsOf(outcome);
  return error ?? `HTTP ${responseCode}`;
}

function stateOf(judgement: MessageResult['judgement']): 'succeeded' | 'failed' | 'exhausted' {
  return judgement.kind === 'delivered' ? 'succeeded' : judgement.kind === 'retry' ? 'failed' : 'exhausted';
}
