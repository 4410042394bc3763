// The settings that the whole marketplace shares, as its file and the console write them: members, bounds, defaults and labels (contract 7.6).
import { type Static, Type } from 'typebox';

import { countries } from '../base/regions.ts';
import { line, type MemberNotes, members, numberFrom, oneOf, wholeNumber } from './configured.schema.ts';

/** Stands for null, which in a file means that nothing is said and the default holds. */
export const FOREVER = 'forever';

// An invoice has one line for it.
const NAME_LENGTH_MAX = 100;
// Ten years: more is a slip of the hand.
const DEDUP_DAYS_MAX = 3650;
// A week: a lead that waited longer is no lead any more.
const HOLD_MINUTES_MAX = 10_080;
const RETRY_SECONDS_MAX = 604_800;
const ATTEMPTS_MAX = 50;
const WEIGHT_MAX = 1_000_000;
// A hundred years: more is meant to be for ever.
const RETENTION_DAYS_MAX = 36_500;
const CONSENT_YEARS_MAX = 100;

const weight = (part: string, byDefault: number) =>
  numberFrom(0, WEIGHT_MAX, { title: `Score: ${part}`, default: byDefault });

const term = (maximum: number, notes: MemberNotes<number | typeof FOREVER>) =>
  Type.Union([Type.Integer({ minimum: 1, maximum }), Type.Literal(FOREVER)], notes);

export const MarketplaceSchema = members({
  name: line({
    title: 'Name',
    description: 'Who sells; it stands on invoices.',
    maxLength: NAME_LENGTH_MAX,
    default: 'Lead Marketplace',
  }),
  currency: line({
    title: 'Currency',
    description: 'Three capitals, such as USD.',
    pattern: '^[A-Z]{3}$',
    default: 'USD',
    errorMessage: 'must be a currency code of three capitals, such as USD',
  }),
  strategy: oneOf(['price', 'weighted', 'round_robin'], {
    title: 'Strategy',
    description: 'Among open offers of the lowest priority number.',
    default: 'price',
  }),
  regions: Type.Union(
    [
      Type.Array(oneOf(countries), {
        uniqueItems: true,
        minItems: 1,
        errorMessage: 'must name US or CA or both, or be any',
      }),
      Type.Literal('any'),
    ],
    {
      title: 'States',
      description: 'Which two-letter codes leads and filters may name.',
      default: [...countries],
    },
  ),
  dedupDays: wholeNumber(0, DEDUP_DAYS_MAX, { title: 'Days in which a person is not sold again', default: 30 }),
  holdMinutes: wholeNumber(0, HOLD_MINUTES_MAX, {
    title: 'Minutes that a lead may wait',
    description: 'For an offer that is about to open.',
    default: 15,
  }),
  retrySeconds: Type.Array(wholeNumber(0, RETRY_SECONDS_MAX), {
    minItems: 1,
    maxItems: ATTEMPTS_MAX,
    title: 'Waits before each attempt, in seconds',
    description: 'One for each attempt, in their order; 0 is at once.',
    // About 18 hours in all: long enough for a night's outage, short enough that a lead is still worth a call.
    default: [0, 5, 30, 120, 600, 1800, 7200, 18_000, 36_000],
    errorMessage: `must name 1 to ${ATTEMPTS_MAX} waits, one for each attempt`,
  }),
  scoreWeights: members(
    {
      contact: weight('contact', 30),
      completeness: weight('completeness', 25),
      consent: weight('consent', 20),
      supplier: weight('supplier', 15),
      plausibility: weight('plausibility', 10),
    },
    {
      default: {},
      check: 'weights',
      description: 'Points of the score’s five parts; it is scaled to 0–100 by their sum.',
    },
  ),
  breaker: members(
    {
      failures: wholeNumber(1, 1000, { title: 'Failures in a row until an endpoint rests', default: 10 }),
      probeSeconds: wholeNumber(1, 86_400, { title: 'Seconds until it is tried again', default: 30 }),
    },
    { default: {} },
  ),
  // Accounts, deliveries, claims and the audit trail are kept whatever this says.
  retention: members(
    {
      // Partners may read and export their deliveries for as long as the operator does not say otherwise. What is over is then erased as
      // by `lead erase`.
      leadDays: term(RETENTION_DAYS_MAX, { title: 'Days that persons are kept', default: FOREVER }),
      rawBodyDays: term(RETENTION_DAYS_MAX, { title: 'Days that submissions are kept as received', default: 90 }),
      // An answer helps while its delivery is being talked about: the time for a dispute.
      snippetDays: term(RETENTION_DAYS_MAX, { title: 'Days that answers of endpoints are kept', default: 30 }),
      // A year and some weeks, so that a month can be held against the same one of the year before.
      attemptDays: term(RETENTION_DAYS_MAX, { title: 'Days that attempts are kept', default: 400 }),
      // Why leads were sold to whom, and what endpoints were out of order then.
      decisionDays: term(RETENTION_DAYS_MAX, { title: 'Days that decisions are kept', default: 400 }),
      // Keyed hashes of who was sold to whom, never forgotten within `dedupDays`: the duplicates of 30 days, and as long again for a claim
      // that the person had been sold before.
      personDays: term(RETENTION_DAYS_MAX, { title: 'Days that it is kept who was sold', default: 60 }),
      // Longer than the four years in which a call can be sued for.
      consentYears: term(CONSENT_YEARS_MAX, { title: 'Years that proofs of consent are kept', default: 5 }),
    },
    { default: {}, description: 'How long things are kept: days, years of proofs of consent, or forever.' },
  ),
});

/** The settings in the words of the file, every member present. */
export type MarketplaceForm = Static<typeof MarketplaceSchema>;
