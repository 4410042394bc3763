// The settings that the whole marketplace shares (contract 7.6).
import { countries, type Regions } from '../base/regions.ts';

/** Under which they stand where other things have keys of their own. */
export const MARKETPLACE_KEY = 'marketplace';

export type Strategy = 'price' | 'weighted' | 'round_robin';

/** Points of the score's five parts; the score is scaled to 0–100 by their sum. */
export type ScoreWeights = {
  readonly contact: number;
  readonly completeness: number;
  readonly consent: number;
  readonly supplier: number;
  readonly plausibility: number;
};

/** How long things are kept; null is for ever. Accounts, deliveries, claims and the audit trail are kept whatever this says. */
export type Retention = {
  /** The persons of leads, which are then erased as by `lead erase`. */
  readonly leadDays: number | null;
  /** Submissions as received. */
  readonly rawBodyDays: number | null;
  /** What endpoints answered. */
  readonly snippetDays: number | null;
  /** The log of attempts. */
  readonly attemptDays: number | null;
  /** Why leads were sold to whom, and what endpoints were out of order then. */
  readonly decisionDays: number | null;
  /** Keyed hashes of who was sold to whom; never forgotten within `dedupDays`. */
  readonly personDays: number | null;
  /** Proofs of consent. */
  readonly consentYears: number | null;
};

export type MarketplaceSettings = {
  /** Who sells: stands on invoices as their issuer. */
  readonly name: string;
  readonly currency: string;
  readonly strategy: Strategy;
  /** Which two-letter codes a lead's state and the filters of offers may name. */
  readonly regions: Regions;
  readonly dedupDays: number;
  readonly holdMinutes: number;
  /** Waits before attempt 1, 2, … in seconds. */
  readonly retrySeconds: readonly number[];
  readonly scoreWeights: ScoreWeights;
  readonly breaker: { readonly failures: number; readonly probeSeconds: number };
  readonly retention: Retention;
};

export const defaultSettings: MarketplaceSettings = {
  name: 'Lead Marketplace',
  currency: 'USD',
  strategy: 'price',
  regions: countries,
  dedupDays: 30,
  holdMinutes: 15,
  // About 18 hours in all: long enough for a night's outage, short enough that a lead is still worth a call.
  retrySeconds: [0, 5, 30, 120, 600, 1800, 7200, 18_000, 36_000],
  scoreWeights: { contact: 30, completeness: 25, consent: 20, supplier: 15, plausibility: 10 },
  breaker: { failures: 10, probeSeconds: 30 },
  retention: {
    // Partners may read and export their deliveries for as long as the operator does not say otherwise.
    leadDays: null,
    rawBodyDays: 90,
    // An answer helps while its delivery is being talked about: the time for a dispute.
    snippetDays: 30,
    // A year and some weeks, so that a month can be held against the same one of the year before.
    attemptDays: 400,
    decisionDays: 400,
    // The duplicates of 30 days, and as long again for a claim that the person had been sold before.
    personDays: 60,
    // Longer than the four years in which a call can be sued for.
    consentYears: 5,
  },
};

/** Requests per second that refill a bucket of `burst` requests. */
export type RateLimit = { readonly perSecond: number; readonly burst: number };
