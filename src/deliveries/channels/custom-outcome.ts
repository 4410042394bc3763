// Turns the response to a custom webhook into the outcome of the attempt, by the partner's rules and the offer's bounds on the price
// (contract 13.2). No text of it contains a secret.
import { readAmountText } from '../../base/amount-text.ts';
import type { HttpOutcome } from '../../platform/outbound/http-outcome.ts';
import { snippetOf } from '../../platform/outbound/response-body.rules.ts';
import { retryAfterSeconds } from '../../platform/outbound/retry-after.rules.ts';
import { type AttemptFacts, outcomeOfHttp, type SendOutcome } from '../../platform/outbound/send-outcome.ts';
import type { PriceBounds } from './channel.ts';
import { maskHidden } from './mask-hidden.rules.ts';
import type { CompiledRules, ResponseReading } from './read-response.rules.ts';
import { responseText } from './response-text.rules.ts';
import { NO_PRICE, OUT_OF_BOUNDS } from './unpriced.rules.ts';

export type OutcomeOptions = {
  readonly rules: CompiledRules;
  readonly priceBounds: PriceBounds | null;
  /** Texts that must be shown nowhere, in a response that echoes them neither. */
  readonly hidden: readonly string[];
  readonly now: Date;
};

const SNIPPET_BYTES = 1_024;
const NO_RULE = 'The response matches no rule.';
const NO_RULE_OF_JSON =
  'The response matches no rule. It is longer than 64 KiB or broke off, so that rules on JSON do not see it.';

export function outcomeOfCustom(http: HttpOutcome, { rules, priceBounds, hidden, now }: OutcomeOptions): SendOutcome {
  if (http.kind === 'error' || http.received === undefined) return outcomeOfHttp(http, now);
  const { status, received, retryAfter, latencyMs } = http;
  const mask = (text: string): string => maskHidden(text, hidden);
  // A secret may begin within the snippet and end after it.
  const shown = hidden.length === 0 ? received.body.subarray(0, 4 * SNIPPET_BYTES) : received.body;
  const text = maskHidden(responseText(shown, received.headers['content-type'] ?? null), hidden, SNIPPET_BYTES);
  const reading = rules.read({ status, ...received });
  const facts: AttemptFacts = {
    responseCode: status,
    responseSnippet: snippetOf(Buffer.from(text, 'utf8').subarray(0, SNIPPET_BYTES), {
      maxBytes: SNIPPET_BYTES,
      cut: true,
    }),
    latencyMs,
    error: null,
    ...(reading === null ? {} : { rule: reading.rule }),
  };
  const isSuccess = status >= 200 && status < 300;
  const later = (error: string | null, receipt: 'no' | 'unknown'): SendOutcome => ({
    kind: 'not_taken',
    ...{ why: 'later', receipt, retryAfterSeconds: retryAfterSeconds(retryAfter, now) ?? 0 },
    ...{ ...facts, error },
  });
  if (reading === null) {
    // Without rules for acceptance the status decides, as for the standard format.
    if (isSuccess && rules.isAcceptanceRuled) return later(received.isCut ? NO_RULE_OF_JSON : NO_RULE, 'unknown');
    const outcome = outcomeOfHttp(http, now);
    return outcome.kind === 'taken' ? accepted(NOTHING_TAKEN, { priceBounds, facts, mask }) : { ...outcome, ...facts };
  }
  const reason = reading.reason === null ? null : mask(reading.reason);
  // The rule knows that the partner does not have it, except behind a status that says nothing about it.
  if (reading.outcome === 'retry') {
    return later(
      reason ?? 'The partner asks for another attempt.',
      status < 300 || isClientError(status) ? 'no' : 'unknown',
    );
  }
  if (reading.outcome !== 'accepted') {
    return { kind: 'not_taken', why: reading.outcome, reason, receipt: 'no', retryAfterSeconds: 0, ...facts };
  }
  return accepted(reading, { priceBounds, facts, mask });
}

const NOTHING_TAKEN = { reference: null, price: null } as const;

function isClientError(status: number): boolean {
  return status >= 400 && status < 500;
}

function accepted(
  { reference, price }: Pick<ResponseReading, 'reference' | 'price'>,
  {
    priceBounds,
    facts,
    mask,
  }: Pick<OutcomeOptions, 'priceBounds'> & { facts: AttemptFacts; mask: (text: string) => string },
): SendOutcome {
  const named = reference === null ? {} : { reference: mask(reference) };
  if (priceBounds === null) return { kind: 'taken', ...named, ...facts };
  const priceCents = centsOfPrice(price, priceBounds.currency);
  if (priceCents !== null && priceCents >= priceBounds.minCents && priceCents <= priceBounds.maxCents) {
    return { kind: 'taken', ...named, priceCents, ...facts };
  }
  const error = priceCents === null ? NO_PRICE : OUT_OF_BOUNDS;
  return { kind: 'not_taken', why: 'unpriced', receipt: 'unknown', retryAfterSeconds: 0, ...facts, error };
}

/** A number counts as its shortest decimal text. */
function centsOfPrice(price: string | number | null, currency: string): number | null {
  if (price === null) return null;
  const read = readAmountText(String(price), { currency, separators: 'english', decimals: 'half_up' });
  return read.ok && read.mark === '' && read.sign !== '-' ? read.cents : null;
}
