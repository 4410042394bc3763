// The outcome of one sending attempt on any channel, which decides retries, receipt and breakers (contract 4.10).
import type { HttpOutcome } from './http-outcome.ts';
import { partnerWords } from './partner-words.rules.ts';
import { retryAfterSeconds } from './retry-after.rules.ts';

/** The facts that the attempt log shows; every text may be shown to the partner. */
export type AttemptFacts = {
  /** HTTP status, or the reply code of a mail server; null without a response. */
  readonly responseCode: number | null;
  /** At most 1 KiB of text. */
  readonly responseSnippet: string | null;
  readonly latencyMs: number;
  readonly error: string | null;
  /** The rule of a custom webhook that read the response, from 0. */
  readonly rule?: number;
};

/** The partner's system has read the lead and does not want it, or has it already. */
export type Rejection = 'rejected' | 'duplicate';

export type SendOutcome =
  | ({
      readonly kind: 'taken';
      /** The partner's own id of the lead, from its response. */
      readonly reference?: string;
      /** What the partner pays, from its response and within the bounds that it was sent with. */
      readonly priceCents?: number;
    } & AttemptFacts)
  | ({
      readonly kind: 'not_taken';
      /**
       * `later`: retry; `refused`: a configuration has to be fixed, so only a few retries; `gone`: the endpoint asks for no more;
       * `unpriced`: taken at a price that cannot be read or is out of bounds. A rejection has `receipt: 'no'`, `unpriced` has `unknown`.
       */
      readonly why: 'later' | 'refused' | 'gone' | 'unpriced' | Rejection;
      /** Rejections only: why, in the partner's own words. */
      readonly reason?: string | null;
      /** `no` only when the other side certainly does not have it. */
      readonly receipt: 'no' | 'unknown';
      /** The delay that the other side asks for, in seconds from now; 0 without one. */
      readonly retryAfterSeconds: number;
    } & AttemptFacts)
  /** Not tried, because of a limit on this side: does not count as an attempt. */
  | { readonly kind: 'deferred'; readonly until: Date };

const NO_FACTS: AttemptFacts = { responseCode: null, responseSnippet: null, latencyMs: 0, error: null };

export function factsOf(outcome: SendOutcome): AttemptFacts {
  if (outcome.kind === 'deferred') return NO_FACTS;
  const { responseCode, responseSnippet, latencyMs, error, rule } = outcome;
  const rejection = rejectionOf(outcome);
  return {
    ...{ responseCode, responseSnippet, latencyMs, error: rejection === null ? error : rejectionText(rejection) },
    ...(rule === undefined ? {} : { rule }),
  };
}

export type RejectionFacts = { readonly kind: Rejection; readonly reason: string | null };

/** Null unless the partner rejected the lead. */
export function rejectionOf(outcome: SendOutcome): RejectionFacts | null {
  if (outcome.kind !== 'not_taken' || (outcome.why !== 'rejected' && outcome.why !== 'duplicate')) return null;
  const reason = outcome.reason ?? null;
  return { kind: outcome.why, reason: reason === null ? null : partnerWords(reason) };
}

/** The first words of what the log of attempts says about a rejection; a reason in the partner's words follows after `: `. */
export const REJECTED_BY_PARTNER = 'Rejected by the partner';

function rejectionText({ kind, reason }: RejectionFacts): string {
  const text = kind === 'duplicate' ? `${REJECTED_BY_PARTNER} as a duplicate` : REJECTED_BY_PARTNER;
  return reason === null ? text : `${text}: ${reason}`;
}

/** Whether the endpoint works: a rejection is a response as good as an acceptance, and no failure of the endpoint. */
export function isHealthy(outcome: SendOutcome): boolean {
  return outcome.kind === 'taken' || rejectionOf(outcome) !== null;
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
