// What an attempt's outcome means for its delivery: done, once more at a later time, or failed (contract 4, retries, 410).
import type { HttpOutcome } from '../platform/outbound/http-outcome.ts';
import { retryAfterSeconds } from '../platform/outbound/retry-after.rules.ts';

export type JobState = {
  /** Attempts begun, the one judged included. */
  readonly attempts: number;
  /** Steps of the schedule used up before this attempt, also by attempts that never came to an end. */
  readonly steps: number;
  /** Attempts, this one included, after which the buyer may have the lead. */
  readonly uncertain: number;
};

export type Judgement =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly dueAt: Date; readonly steps: number; readonly uncertain: number }
  | { readonly kind: 'failed'; readonly certain: boolean; readonly endpointGone: boolean };

/** Another 4xx is a misconfiguration that a person may mend within minutes, but hardly within hours. */
const REFUSALS_AT_MOST = 3;
const RETRIED_4XX: ReadonlySet<number> = new Set([408, 409, 425, 429]);
const JITTER = 0.2;
/** Whatever the schedule or the partner asks for (contract 4: at most 24 h). */
const LONGEST_WAIT_SECONDS = 86_400;

/** `chance` is uniform in 0 ≤ c < 1 and spreads the retries of many deliveries by ±20 %. */
export function judge(
  outcome: HttpOutcome,
  job: JobState,
  { retrySeconds, chance, now }: { retrySeconds: readonly number[]; chance: number; now: Date },
): Judgement {
  if (outcome.kind === 'response' && outcome.status >= 200 && outcome.status < 300) return { kind: 'delivered' };
  const uncertain = job.uncertain - (isCertainlyNotReceived(outcome) ? 1 : 0);
  if (outcome.kind === 'response') {
    if (outcome.status === 410) return { kind: 'failed', certain: uncertain === 0, endpointGone: true };
    const isRefusal = outcome.status >= 400 && outcome.status < 500 && !RETRIED_4XX.has(outcome.status);
    if (isRefusal && job.attempts >= REFUSALS_AT_MOST)
      return { kind: 'failed', certain: uncertain === 0, endpointGone: false };
  }
  const steps = job.steps + 1;
  const step = retrySeconds[steps];
  if (step === undefined) return { kind: 'failed', certain: uncertain === 0, endpointGone: false };
  const asked = outcome.kind === 'response' ? (retryAfterSeconds(outcome.retryAfter, now) ?? 0) : 0;
  const jittered = step * (1 + JITTER * (2 * chance - 1));
  const wait = Math.min(Math.max(jittered, asked), LONGEST_WAIT_SECONDS);
  return { kind: 'retry', dueAt: new Date(now.getTime() + Math.round(wait * 1000)), steps, uncertain };
}

/** Attempts that never came to an end (their workers died) may have used up the schedule; there is none left to be made. */
export function isUsedUp({ steps }: JobState, retrySeconds: readonly number[]): boolean {
  return steps >= retrySeconds.length;
}

/** Nothing was sent in this attempt and nothing will be in another. Only earlier ones may have arrived. */
export function giveUp({ uncertain }: JobState): Judgement {
  return { kind: 'failed', certain: uncertain === 1, endpointGone: false };
}

/** Never connected, or refused by the buyer's own words. A redirect, a 5xx and a cut line may all hide a receipt. */
function isCertainlyNotReceived(outcome: HttpOutcome): boolean {
  return outcome.kind === 'error' ? outcome.receipt === 'no' : outcome.status >= 400 && outcome.status < 500;
}
