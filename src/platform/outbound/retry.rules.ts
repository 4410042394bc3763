// Decides after an attempt whether the job is delivered, retried later, deferred or failed (contract 4.10, 4.11).
import type { SendOutcome } from './send-outcome.ts';

export type JobState = {
  /** Attempts begun, this one included. */
  readonly attempts: number;
  /** Steps of the schedule used up before this attempt, also by attempts that never ended. */
  readonly steps: number;
  /** Attempts, this one included, that may have reached the receiver. */
  readonly uncertain: number;
  /** Made while the breaker was open, to test whether the endpoint is back: a failure uses up no step. */
  readonly isProbe: boolean;
};

export type Judgement =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly dueAt: Date; readonly steps: number; readonly uncertain: number }
  /** Not tried: due again later, as if it had not been leased. */
  | { readonly kind: 'deferred'; readonly dueAt: Date }
  | { readonly kind: 'failed'; readonly certain: boolean; readonly endpointGone: boolean };

/** A refusal is a misconfiguration, which is fixed within minutes or not for hours. */
const REFUSALS_AT_MOST = 3;
/** The partner's system has decided: another attempt would get the same response, or sell a lead that it has. */
const FINAL: ReadonlySet<string> = new Set(['rejected', 'duplicate', 'unpriced']);
const JITTER = 0.2;
/** Bounds the schedule and the partner's request (contract 4.10: at most 24 h). */
const LONGEST_WAIT_SECONDS = 86_400;

/** `chance` is uniform in 0 ≤ c < 1 and spreads the retries of many deliveries by ±20 %. */
export function judge(
  outcome: SendOutcome,
  job: JobState,
  { retrySeconds, chance, now }: { retrySeconds: readonly number[]; chance: number; now: Date },
): Judgement {
  if (outcome.kind === 'taken') return { kind: 'delivered' };
  if (outcome.kind === 'deferred') return { kind: 'deferred', dueAt: outcome.until };
  const uncertain = job.uncertain - (outcome.receipt === 'no' ? 1 : 0);
  const certain = uncertain === 0;
  if (outcome.why === 'gone') return { kind: 'failed', certain, endpointGone: true };
  if (FINAL.has(outcome.why) || (outcome.why === 'refused' && job.attempts >= REFUSALS_AT_MOST))
    return { kind: 'failed', certain, endpointGone: false };
  const wait = (seconds: number): Date =>
    new Date(
      now.getTime() + Math.round(Math.min(Math.max(seconds, outcome.retryAfterSeconds), LONGEST_WAIT_SECONDS) * 1000),
    );
  // The job waits in its endpoint queue; the breaker decides when the next attempt is made.
  if (job.isProbe) return { kind: 'retry', dueAt: wait(0), steps: job.steps, uncertain };
  const steps = job.steps + 1;
  const step = retrySeconds[steps];
  if (step === undefined) return { kind: 'failed', certain, endpointGone: false };
  return { kind: 'retry', dueAt: wait(step * (1 + JITTER * (2 * chance - 1))), steps, uncertain };
}

/** Whether no attempt is left: attempts that never ended (their workers died) may have used up the schedule. */
export function isUsedUp({ steps }: Pick<JobState, 'steps'>, retrySeconds: readonly number[]): boolean {
  return steps >= retrySeconds.length;
}

/** Fails a job without sending it in this attempt or later. Only earlier attempts may have arrived. */
export function giveUp({ uncertain }: Pick<JobState, 'uncertain'>): Judgement {
  return { kind: 'failed', certain: uncertain === 1, endpointGone: false };
}
