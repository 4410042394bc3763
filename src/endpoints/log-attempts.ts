// Logs attempts at a partner's endpoints: their start and their result (contract 4.10).
import type { AttemptId, DeliveryId } from '../base/ids.ts';
import type { Tx } from '../platform/database/database.ts';
import type { Judgement } from '../platform/outbound/retry.rules.ts';
import { factsOf, type SendOutcome } from '../platform/outbound/send-outcome.ts';
import { insertAttempts, updateAttempts } from './attempt.sql.ts';

export type BegunAttempt = {
  readonly attemptId: AttemptId;
  readonly deliveryId: DeliveryId;
  readonly buyerKey: string;
  readonly channel: string;
  /** Masked, as the partner may see it. */
  readonly target: string;
  /** Counted from 1. */
  readonly number: number;
};

export type EndedAttempt = {
  readonly attemptId: AttemptId;
  readonly outcome: SendOutcome;
  readonly judgement: Judgement;
};

/** Sent without waiting, as the last statement of a claim: it travels together with the COMMIT. */
export function logBegunAttempts(tx: Tx, attempts: readonly BegunAttempt[], now: Date): void {
  if (attempts.length === 0) return;
  void tx.query(insertAttempts, {
    attemptIds: attempts.map((attempt) => attempt.attemptId),
    deliveryIds: attempts.map((attempt) => attempt.deliveryId),
    buyerKeys: attempts.map((attempt) => attempt.buyerKey),
    channels: attempts.map((attempt) => attempt.channel),
    targets: attempts.map((attempt) => attempt.target),
    numbers: attempts.map((attempt) => attempt.number),
    now,
  });
}

/** Skips deferred attempts, which count as not made. */
export async function logEndedAttempts(tx: Tx, attempts: readonly EndedAttempt[]): Promise<void> {
  const made = attempts.filter(({ judgement }) => judgement.kind !== 'deferred');
  if (made.length === 0) return;
  const facts = made.map(({ outcome }) => factsOf(outcome));
  await tx.query(updateAttempts, {
    attemptIds: made.map((attempt) => attempt.attemptId),
    states: made.map(({ judgement }) => stateOf(judgement)),
    responseCodes: facts.map((fact) => fact.responseCode),
    responseSnippets: facts.map((fact) => fact.responseSnippet),
    latenciesMs: facts.map((fact) => Math.round(fact.latencyMs)),
    errors: facts.map((fact) => fact.error),
    nextAttemptTimes: made.map(({ judgement }) => (judgement.kind === 'retry' ? judgement.dueAt : null)),
  });
}

function stateOf(judgement: Judgement): 'succeeded' | 'failed' | 'exhausted' {
  return judgement.kind === 'delivered' ? 'succeeded' : judgement.kind === 'retry' ? 'failed' : 'exhausted';
}
