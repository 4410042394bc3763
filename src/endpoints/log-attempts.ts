// Logs attempts at a partner's endpoints: each one once, together with its result (contract 4.10, decision 049).
import type { AttemptId, DeliveryId } from '../base/ids.ts';
import { int2Array, textArray, timestamptzArray, uuidArray } from '../platform/database/binary-array.ts';
import type { Tx } from '../platform/database/database.ts';
import type { Judgement } from '../platform/outbound/retry.rules.ts';
import { type AttemptFacts, factsOf, type SendOutcome } from '../platform/outbound/send-outcome.ts';
import { insertAttempts, lockErasure } from './attempt.sql.ts';

export type BegunAttempt = {
  readonly attemptId: AttemptId;
  readonly deliveryId: DeliveryId;
  readonly buyerKey: string;
  readonly channel: string;
  /** Masked, as the partner may see it. */
  readonly target: string;
  /** Counted from 1. */
  readonly number: number;
  readonly startedAt: Date;
  /** Missing for the delivery of a lead. */
  readonly messageType?: string;
};

export type EndedAttempt = BegunAttempt & {
  readonly outcome: SendOutcome;
  readonly judgement: Judgement;
};

/** `interrupted`: its worker may have died, and its result may still be logged. `erased`: no result will be logged. */
export type LossReason = 'interrupted' | 'erased';

/**
 * Skips deferred attempts, which count as not made. Of deliveries in `erased` nothing about the response is stored. Sent without waiting; so
 * is every statement of this file that writes.
 */
export function logEndedAttempts(tx: Tx, attempts: readonly EndedAttempt[], erased: ReadonlySet<DeliveryId>): void {
  const made = attempts.filter(({ judgement }) => judgement.kind !== 'deferred');
  insert(
    tx,
    made.map(({ outcome, judgement, ...attempt }) =>
      erased.has(attempt.deliveryId)
        ? lost(attempt, 'erased')
        : {
            ...attempt,
            ...factsOf(outcome),
            state: stateOf(judgement),
            nextAttemptAt: judgement.kind === 'retry' ? judgement.dueAt : null,
          },
    ),
  );
}

/** Logs attempts without a result. Those that have one, or whose lead was erased, stay as they are. */
export function logLostAttempts(tx: Tx, attempts: readonly BegunAttempt[], reason: LossReason): void {
  insert(
    tx,
    attempts.map((attempt) => lost(attempt, reason)),
  );
}

/**
 * Of these deliveries those whose lead was erased. Locks all of them until the transaction ends, so that no other is erased before their
 * attempts are logged. Needed only where the attempt does not hold the lease of a send job: an erasure ends those leases.
 */
export async function lockErased(tx: Tx, deliveryIds: readonly DeliveryId[]): Promise<ReadonlySet<DeliveryId>> {
  if (deliveryIds.length === 0) return NONE;
  const rows = await tx.query(lockErasure, { deliveryIds });
  return new Set(rows.filter(({ isErased }) => isErased).map(({ deliveryId }) => deliveryId));
}

const NONE: ReadonlySet<DeliveryId> = new Set();

type AttemptToLog = BegunAttempt &
  Omit<AttemptFacts, 'latencyMs'> & {
    readonly state: 'succeeded' | 'failed' | 'exhausted';
    readonly latencyMs: number | null;
    readonly nextAttemptAt: Date | null;
  };

function lost(attempt: BegunAttempt, error: LossReason): AttemptToLog {
  const unknown = { responseCode: null, responseSnippet: null, latencyMs: null, nextAttemptAt: null };
  return { ...attempt, ...unknown, state: 'failed', error };
}

function insert(tx: Tx, attempts: readonly AttemptToLog[]): void {
  if (attempts.length === 0) return;
  void tx.query(insertAttempts, {
    attemptIds: uuidArray(attempts.map(({ attemptId }) => attemptId)),
    deliveryIds: uuidArray(attempts.map(({ deliveryId }) => deliveryId)),
    buyerKeys: textArray(attempts.map(({ buyerKey }) => buyerKey)),
    channels: textArray(attempts.map(({ channel }) => channel)),
    targets: textArray(attempts.map(({ target }) => target)),
    numbers: attempts.map(({ number }) => number),
    startTimes: timestamptzArray(attempts.map(({ startedAt }) => startedAt)),
    states: textArray(attempts.map(({ state }) => state)),
    responseCodes: int2Array(attempts.map(({ responseCode }) => responseCode)),
    responseSnippets: textArray(attempts.map(({ responseSnippet }) => responseSnippet)),
    latenciesMs: attempts.map(({ latencyMs }) => (latencyMs === null ? null : Math.round(latencyMs))),
    errors: textArray(attempts.map(({ error }) => error)),
    nextAttemptTimes: timestamptzArray(attempts.map(({ nextAttemptAt }) => nextAttemptAt)),
    messageTypes: textArray(attempts.map(({ messageType = null }) => messageType)),
    rules: int2Array(attempts.map(({ rule = null }) => rule)),
  });
}

function stateOf(judgement: Judgement): AttemptToLog['state'] {
  return judgement.kind === 'delivered' ? 'succeeded' : judgement.kind === 'retry' ? 'failed' : 'exhausted';
}
