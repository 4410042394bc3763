// The settings that the whole marketplace shares (contract 7, `marketplace:` in the file).

export type Strategy = 'price' | 'weighted' | 'round_robin';

/** Points of the score's five parts; the score is scaled to 0–100 by their sum. */
export type ScoreWeights = {
  readonly contact: number;
  readonly completeness: number;
  readonly consent: number;
  readonly supplier: number;
  readonly plausibility: number;
};

export type MarketplaceSettings = {
  readonly currency: string;
  readonly strategy: Strategy;
  readonly dedupDays: number;
  readonly holdMinutes: number;
  /** Waits before attempt 1, 2, … in seconds. */
  readonly retrySeconds: readonly number[];
  readonly scoreWeights: ScoreWeights;
  readonly breaker: { readonly failures: number; readonly probeSeconds: number };
};

export const defaultSettings: MarketplaceSettings = {
  currency: 'USD',
  strategy: 'price',
  dedupDays: 30,
  holdMinutes: 15,
  // About 18 hours in all: long enough for a night's outage, short enough that a lead is still worth a call.
  retrySeconds: [0, 5, 30, 120, 600, 1800, 7200, 18_000, 36_000],
  scoreWeights: { contact: 30, completeness: 25, consent: 20, supplier: 15, plausibility: 10 },
  breaker: { failures: 10, probeSeconds: 30 },
};

/** Requests per second that refill a bucket of `burst` requests. */
export type RateLimit = { readonly perSecond: number; readonly burst: number };
