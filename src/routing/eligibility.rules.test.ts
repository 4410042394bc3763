import { describe, expect, test } from 'vitest';

import { noFilters, theFacts } from '../../test/support/offers.ts';
import { failedFilter, type LeftOut } from './eligibility.rules.ts';
import type { LeadFacts } from './lead-facts.ts';
import type { OfferFilters } from './offer.ts';

type Case = {
  readonly says: string;
  readonly filters?: Partial<OfferFilters>;
  readonly facts?: Partial<LeadFacts>;
  readonly left: LeftOut | null;
};

const from10k = { debtAmountCents: { min: 1_000_000, max: null } };
const to90k = { debtAmountCents: { min: null, max: 9_000_000 } };
const nothing: Partial<LeadFacts> = {
  state: null,
  debtAmountCents: null,
  score: 0,
  source: null,
  tcpaConsent: false,
  hasEmail: false,
  hasPhone: false,
};

const cases: readonly Case[] = [
  { says: 'An offer without filters wants any lead', left: null },
  { says: 'It wants even one that says nothing', facts: nothing, left: null },

  { says: 'A wanted state passes', filters: { states: ['AZ', 'CA'] }, left: null },
  {
    says: 'Another state does not',
    filters: { states: ['AZ', 'NV'] },
    left: { code: 'state_not_wanted', got: 'CA', want: ['AZ', 'NV'] },
  },
  {
    says: 'No state is none of the wanted',
    filters: { states: ['CA'] },
    facts: { state: null },
    left: { code: 'state_not_wanted', got: null, want: ['CA'] },
  },
  {
    says: 'An excluded state does not pass',
    filters: { statesNot: ['CA'] },
    left: { code: 'state_excluded', got: 'CA', want: ['CA'] },
  },
  { says: 'Any other state does', filters: { statesNot: ['NY'] }, left: null },
  { says: 'No state is none of the excluded', filters: { statesNot: ['CA'] }, facts: { state: null }, left: null },
  {
    says: 'A state both wanted and excluded does not pass',
    filters: { states: ['CA'], statesNot: ['CA'] },
    left: { code: 'state_excluded', got: 'CA', want: ['CA'] },
  },

  { says: 'The lower bound passes', filters: from10k, facts: { debtAmountCents: 1_000_000 }, left: null },
  {
    says: 'A cent less does not',
    filters: from10k,
    facts: { debtAmountCents: 999_999 },
    left: { code: 'debt_amount_too_low', got: 999_999, want: 1_000_000 },
  },
  { says: 'The upper bound passes', filters: to90k, facts: { debtAmountCents: 9_000_000 }, left: null },
  {
    says: 'A cent more does not',
    filters: to90k,
    facts: { debtAmountCents: 9_000_001 },
    left: { code: 'debt_amount_too_high', got: 9_000_001, want: 9_000_000 },
  },
  {
    says: 'No amount fails a lower bound',
    filters: from10k,
    facts: { debtAmountCents: null },
    left: { code: 'debt_amount_missing', got: null, want: { min: 1_000_000, max: null } },
  },
  {
    says: 'No amount fails an upper bound',
    filters: to90k,
    facts: { debtAmountCents: null },
    left: { code: 'debt_amount_missing', got: null, want: { min: null, max: 9_000_000 } },
  },
  {
    says: 'An amount of 0 is an amount',
    filters: { debtAmountCents: { min: 0, max: 0 } },
    facts: { debtAmountCents: 0 },
    left: null,
  },

  { says: 'The least score passes', filters: { minScore: 70 }, left: null },
  {
    says: 'One point less does not',
    filters: { minScore: 71 },
    left: { code: 'score_too_low', got: 70, want: 71 },
  },
  { says: 'A least score of 0 lets 0 pass', filters: { minScore: 0 }, facts: { score: 0 }, left: null },

  { says: 'A wanted supplier passes', filters: { suppliers: ['acme'] }, left: null },
  {
    says: 'Another supplier does not',
    filters: { suppliers: ['bolt'] },
    left: { code: 'supplier_not_wanted', got: 'acme', want: ['bolt'] },
  },
  {
    says: 'An excluded supplier does not',
    filters: { suppliersNot: ['acme'] },
    left: { code: 'supplier_excluded', got: 'acme', want: ['acme'] },
  },
  { says: 'Any other supplier does', filters: { suppliersNot: ['bolt'] }, left: null },

  { says: 'A wanted source passes', filters: { sources: ['search'] }, left: null },
  {
    says: 'Sources are compared as they are written',
    filters: { sources: ['Search'] },
    left: { code: 'source_not_wanted', got: 'search', want: ['Search'] },
  },
  {
    says: 'No source is none of the wanted',
    filters: { sources: ['search'] },
    facts: { source: null },
    left: { code: 'source_not_wanted', got: null, want: ['search'] },
  },
  {
    says: 'An excluded source does not pass',
    filters: { sourcesNot: ['search'] },
    left: { code: 'source_excluded', got: 'search', want: ['search'] },
  },
  { says: 'No source is none of the excluded', filters: { sourcesNot: ['x'] }, facts: { source: null }, left: null },

  {
    says: 'Consent that is required must be there',
    filters: { requireConsent: true },
    facts: { tcpaConsent: false },
    left: { code: 'consent_missing', got: false, want: true },
  },
  {
    says: 'So must an e-mail address',
    filters: { requireEmail: true },
    facts: { hasEmail: false },
    left: { code: 'email_missing', got: false, want: true },
  },
  {
    says: 'So must a phone',
    filters: { requirePhone: true },
    facts: { hasPhone: false },
    left: { code: 'phone_missing', got: false, want: true },
  },
  {
    says: 'What is required and there passes',
    filters: { requireConsent: true, requireEmail: true, requirePhone: true },
    left: null,
  },
];

test.each(cases)('$says', ({ filters, facts, left }) => {
  expect(failedFilter({ ...noFilters, ...filters }, theFacts(facts))).toEqual(left);
});

describe('Of several filters that fail', () => {
  /** All of them fail for a lead that says nothing, in the order in which the file names them. */
  const inOrder: ReadonlyArray<readonly [string, Partial<OfferFilters>]> = [
    ['state_not_wanted', { states: ['NY'] }],
    ['debt_amount_missing', from10k],
    ['score_too_low', { minScore: 1 }],
    ['supplier_not_wanted', { suppliers: ['bolt'] }],
    ['source_not_wanted', { sources: ['search'] }],
    ['consent_missing', { requireConsent: true }],
    ['email_missing', { requireEmail: true }],
    ['phone_missing', { requirePhone: true }],
  ];

  test.each(inOrder.map(([code], index) => ({ code, index })))(
    '$code is told before those after it',
    ({ code, index }) => {
      const filters = Object.assign({}, noFilters, ...inOrder.slice(index).map(([, one]) => one)) as OfferFilters;
      expect(failedFilter(filters, theFacts(nothing))?.code).toBe(code);
    },
  );
});
