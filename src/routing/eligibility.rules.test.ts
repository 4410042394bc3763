import { describe, expect, it } from 'vitest';

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
  { says: 'admit any lead if there are none', left: null },
  { says: 'admit a lead without any values if there are none', facts: nothing, left: null },

  { says: 'admit a wanted state', filters: { states: ['AZ', 'CA'] }, left: null },
  {
    says: 'reject a state that is not wanted',
    filters: { states: ['AZ', 'NV'] },
    left: { code: 'state_not_wanted', got: 'CA', want: ['AZ', 'NV'] },
  },
  {
    says: 'reject a lead without a state if states are wanted',
    filters: { states: ['CA'] },
    facts: { state: null },
    left: { code: 'state_not_wanted', got: null, want: ['CA'] },
  },
  {
    says: 'reject an excluded state',
    filters: { statesNot: ['CA'] },
    left: { code: 'state_excluded', got: 'CA', want: ['CA'] },
  },
  { says: 'admit a state that is not excluded', filters: { statesNot: ['NY'] }, left: null },
  {
    says: 'admit a lead without a state if states are excluded',
    filters: { statesNot: ['CA'] },
    facts: { state: null },
    left: null,
  },
  {
    says: 'reject a state that is both wanted and excluded',
    filters: { states: ['CA'], statesNot: ['CA'] },
    left: { code: 'state_excluded', got: 'CA', want: ['CA'] },
  },

  { says: 'admit an amount at the lower bound', filters: from10k, facts: { debtAmountCents: 1_000_000 }, left: null },
  {
    says: 'reject an amount one cent below the lower bound',
    filters: from10k,
    facts: { debtAmountCents: 999_999 },
    left: { code: 'debt_amount_too_low', got: 999_999, want: 1_000_000 },
  },
  { says: 'admit an amount at the upper bound', filters: to90k, facts: { debtAmountCents: 9_000_000 }, left: null },
  {
    says: 'reject an amount one cent above the upper bound',
    filters: to90k,
    facts: { debtAmountCents: 9_000_001 },
    left: { code: 'debt_amount_too_high', got: 9_000_001, want: 9_000_000 },
  },
  {
    says: 'reject a missing amount if there is a lower bound',
    filters: from10k,
    facts: { debtAmountCents: null },
    left: { code: 'debt_amount_missing', got: null, want: { min: 1_000_000, max: null } },
  },
  {
    says: 'reject a missing amount if there is an upper bound',
    filters: to90k,
    facts: { debtAmountCents: null },
    left: { code: 'debt_amount_missing', got: null, want: { min: null, max: 9_000_000 } },
  },
  {
    says: 'treat 0 as an amount',
    filters: { debtAmountCents: { min: 0, max: 0 } },
    facts: { debtAmountCents: 0 },
    left: null,
  },

  { says: 'admit the minimum score', filters: { minScore: 70 }, left: null },
  {
    says: 'reject one point below the minimum score',
    filters: { minScore: 71 },
    left: { code: 'score_too_low', got: 70, want: 71 },
  },
  { says: 'admit a score of 0 with a minimum of 0', filters: { minScore: 0 }, facts: { score: 0 }, left: null },

  { says: 'admit a wanted supplier', filters: { suppliers: ['acme'] }, left: null },
  {
    says: 'reject a supplier that is not wanted',
    filters: { suppliers: ['bolt'] },
    left: { code: 'supplier_not_wanted', got: 'acme', want: ['bolt'] },
  },
  {
    says: 'reject an excluded supplier',
    filters: { suppliersNot: ['acme'] },
    left: { code: 'supplier_excluded', got: 'acme', want: ['acme'] },
  },
  { says: 'admit a supplier that is not excluded', filters: { suppliersNot: ['bolt'] }, left: null },

  { says: 'admit a wanted source', filters: { sources: ['search'] }, left: null },
  {
    says: 'compare sources with case',
    filters: { sources: ['Search'] },
    left: { code: 'source_not_wanted', got: 'search', want: ['Search'] },
  },
  {
    says: 'reject a lead without a source if sources are wanted',
    filters: { sources: ['search'] },
    facts: { source: null },
    left: { code: 'source_not_wanted', got: null, want: ['search'] },
  },
  {
    says: 'reject an excluded source',
    filters: { sourcesNot: ['search'] },
    left: { code: 'source_excluded', got: 'search', want: ['search'] },
  },
  {
    says: 'admit a lead without a source if sources are excluded',
    filters: { sourcesNot: ['x'] },
    facts: { source: null },
    left: null,
  },

  {
    says: 'reject missing consent if it is required',
    filters: { requireConsent: true },
    facts: { tcpaConsent: false },
    left: { code: 'consent_missing', got: false, want: true },
  },
  {
    says: 'reject a missing email address if it is required',
    filters: { requireEmail: true },
    facts: { hasEmail: false },
    left: { code: 'email_missing', got: false, want: true },
  },
  {
    says: 'reject a missing phone number if it is required',
    filters: { requirePhone: true },
    facts: { hasPhone: false },
    left: { code: 'phone_missing', got: false, want: true },
  },
  {
    says: 'admit a lead that has everything required',
    filters: { requireConsent: true, requireEmail: true, requirePhone: true },
    left: null,
  },
];

describe('the filters of an offer', () => {
  it.each(cases)('$says', ({ filters, facts, left }) => {
    expect(failedFilter({ vertical: null, filters: { ...noFilters, ...filters } }, theFacts(facts))).toEqual(left);
  });
});

describe('several failed filters', () => {
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

  it.each(inOrder.map(([code], index) => ({ code, index })))(
    'name $code before the filters after it',
    ({ code, index }) => {
      const filters = Object.assign({}, noFilters, ...inOrder.slice(index).map(([, one]) => one)) as OfferFilters;
      expect(failedFilter({ vertical: null, filters }, theFacts(nothing))?.code).toBe(code);
    },
  );
});

describe('filters on own fields', () => {
  it('are checked after the standard filters, and only in the vertical of the offer', () => {
    const filters = { ...noFilters, states: ['NY'], fields: { roof: { in: ['flat'] } } };
    const facts = theFacts({ vertical: 'solar', own: { roof: { type: 'enum', value: 'tile' } }, state: 'CA' });
    expect(failedFilter({ vertical: 'solar', filters }, facts)?.code).toBe('state_not_wanted');
    expect(failedFilter({ vertical: 'solar', filters }, { ...facts, state: 'NY' })?.code).toBe('field_not_wanted');
    expect(failedFilter({ vertical: 'auto', filters: noFilters }, facts)).toEqual({
      code: 'vertical_not_wanted',
      got: 'solar',
      want: 'auto',
    });
    expect(failedFilter({ vertical: null, filters: noFilters }, facts)?.code).toBe('vertical_not_wanted');
    expect(failedFilter({ vertical: 'solar', filters: noFilters }, theFacts())?.code).toBe('vertical_not_wanted');
  });
});
