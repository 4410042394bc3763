// The outcome of one sending attempt on any channel, which decides retries, receipt and breakers (contract 4.10).
import type { HttpOutcome } from './http-outcome.ts';
import { retryAfterSeconds } from './retry-after.rules.ts';

/** The facts that the attempt log shows; every text may be shown to the partner. */
export type AttemptFacts = {
  /** HTTP status, or the reply code of a mail server; null without a response. */
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
      /** `later`: retry; `refused`: a configuration has to be fixed, so only a few retries; `gone`: the endpoint asks for no more. */
      readonly why: 'later' | 'refused' | 'gone';
      /** `no` only when the other side certainly does not have it. */
      readonly receipt: 'no' | 'unknown';
      /** The delay that the other side asks for, in seconds from now; 0 without one. */
      readonly retryAfterSeconds: number;
    } & AttemptFacts)
  /** Not tried, because of a limit on this side: does not count as an attempt. */
  | { readonly kind: 'deferred'; readonly until: Date };

const NO_FACTS: AttemptFacts = { responseCode: null, responseSnippet: null, latencyMs: 0, error: null };

export function factsOf(outcome: SendOutcome): AttemptFacts {
  return outcome.kind === 'deferred' ? NO_FACTS : outcome;
}

/** The reason of the failure, in words that the endpoint's owner may read. */
export function errorOf(outcome: SendOutcome): string {
  const { error, responseCode } = factsOf(outcome);
  return error ?? `HTTP ${responseCode}`;
}

/** These ask for another try; any other 4xx is a misconfiguration or a rejection. */
const RETRIED_4XX: ReadonlySet<number> = new Set([408, 409, 425, 429]);
const GONE = 410;

/** After a redirect, a 5xx or a cut connection the other side may have it; after a 4xx, or without a write, it does not. */
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

/** The outcome when nothing could be sent, because of a temporary or a configuration problem. */
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
