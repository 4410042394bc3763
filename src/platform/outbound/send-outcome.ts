// What one attempt to hand something over came to, whatever the channel: the terms in which retries, receipt and breakers are decided
// (contract 4.10).
import type { HttpOutcome } from './http-outcome.ts';
import { retryAfterSeconds } from './retry-after.rules.ts';

/** What the log of attempts shows of it; every text may be shown to the partner. */
export type AttemptFacts = {
  /** HTTP status, or the reply code of a mail server; null where no answer came. */
  readonly responseCode: number | null;
  /** At most 1 KiB of text. */
  readonly responseSnippet: string | null;
  readonly latencyMs: number;
  readonly error: string | null;
};

export type SendOutcome =
  | ({ readonly kind: 'taken' } & AttemptFacts)
  | ({
      readonly kind: 'not_taken';
      /** `later`: worth another try; `refused`: a person has to mend something, so not worth many; `gone`: asked not to try again. */
      readonly why: 'later' | 'refused' | 'gone';
      /** `no` only where it is certain that the other side does not have it. */
      readonly receipt: 'no' | 'unknown';
      /** The other side's wish for the next attempt, in seconds from now; 0 without one. */
      readonly retryAfterSeconds: number;
    } & AttemptFacts)
  /** Not tried at all, for a limit of our own: it counts as no attempt. */
  | { readonly kind: 'deferred'; readonly until: Date };

const NO_FACTS: AttemptFacts = { responseCode: null, responseSnippet: null, latencyMs: 0, error: null };

export function factsOf(outcome: SendOutcome): AttemptFacts {
  return outcome.kind === 'deferred' ? NO_FACTS : outcome;
}

/** Why it failed, in words that its owner may read. */
export function errorOf(outcome: SendOutcome): string {
  const { error, responseCode } = factsOf(outcome);
  return error ?? `HTTP ${responseCode}`;
}

/** Another 4xx is a misconfiguration or a refusal; these ask for another try. */
const RETRIED_4XX: ReadonlySet<number> = new Set([408, 409, 425, 429]);
const GONE = 410;

/** A redirect, a 5xx and a cut line may all hide a receipt; a 4xx and what was never written do not. */
export function outcomeOfHttp(outcome: HttpOutcome, now: Date): SendOutcome {
  const { latencyMs } = outcome;
  if (outcome.kind === 'error') {
    const facts = { responseCode: null, responseSnippet: null, latencyMs, error: outcome.message };
    return { kind: 'not_taken', why: 'later', receipt: outcome.receipt, retryAfterSeconds: 0, ...facts };
  }
  const { status, snippet, retryAfter } = outcome;
  const facts = { responseCode: status, responseSnippet: snippet, latencyMs, error: null };
  if (status >= 200 && status < 300) return { kind: 'taken', ...facts };
  const isClientError = status >= 400 && status < 500;
  return {
    kind: 'not_taken',
    why: status === GONE ? 'gone' : isClientError && !RETRIED_4XX.has(status) ? 'refused' : 'later',
    receipt: isClientError ? 'no' : 'unknown',
    retryAfterSeconds: retryAfterSeconds(retryAfter, now) ?? 0,
    ...facts,
  };
}

/** What could not be tried, for a reason that a person has to mend or that may pass. */
export function notTried(error: string): SendOutcome {
  return {
    kind: 'not_taken',
    why: 'later',
    receipt: 'no',
    retryAfterSeconds: 0,
    responseCode: null,
    responseSnippet: null,
    latencyMs: 0,
    error,
  };
}
