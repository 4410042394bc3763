import { describe, expect, it } from 'vitest';

import { offerInWords, stages } from './explain-in-words.rules.ts';
import type { ExplainedOffer } from './trace.rules.ts';

type Case = Pick<ExplainedOffer, 'code' | 'got' | 'want'> & { readonly words: string };

const rank = (payoutCents: number, priority = 1) => ({ priority, payoutCents });

describe('the words for an offer that was left out', () => {
  it.each<Case>([
    { code: 'sold', words: '' },
    { code: 'partner_not_active', got: 'paused', want: 'active', words: 'it is paused' },
    { code: 'offer_not_active', got: 'closed', want: 'active', words: 'it is closed' },
    {
      code: 'channel_not_ready',
      got: 'webhookUrl',
      want: 'webhook',
      words: 'webhookUrl is missing, which webhook needs',
    },
    { code: 'state_not_wanted', got: 'TX', want: ['CA', 'NY'], words: 'TX; wanted CA, NY' },
    { code: 'state_not_wanted', got: null, want: ['CA'], words: 'no state; wanted CA' },
    { code: 'state_excluded', got: 'TX', want: ['NV', 'TX'], words: 'TX is among NV, TX' },
    {
      code: 'debt_amount_missing',
      got: null,
      want: { min: 100_000, max: null },
      words: 'wanted at least 1000.00',
    },
    {
      code: 'debt_amount_missing',
      got: null,
      want: { min: 100_000, max: 200_050 },
      words: 'wanted at least 1000.00 and at most 2000.50',
    },
    { code: 'debt_amount_too_low', got: 50_000, want: 100_000, words: '500.00; wanted at least 1000.00' },
    { code: 'debt_amount_too_high', got: 50_000, want: 10_000, words: '500.00; wanted at most 100.00' },
    { code: 'score_too_low', got: 41, want: 60, words: '41; wanted at least 60' },
    { code: 'supplier_not_wanted', got: 'acme', want: ['zeta'], words: 'acme; wanted zeta' },
    { code: 'source_not_wanted', got: null, want: ['search'], words: 'no source; wanted search' },
    { code: 'consent_missing', got: false, want: true, words: '' },
    { code: 'outside_schedule', got: 'sat 21:15', want: null, words: 'the partner’s clock showed sat 21:15' },
    { code: 'cap_reached', got: { window: 'daily', used: 50 }, want: 50, words: 'daily cap: 50 of 50' },
    {
      code: 'budget_reached',
      got: { window: 'weekly', usedCents: 495_000, payoutCents: 7500 },
      want: 500_000,
      words: 'weekly budget: 4950.00 of 5000.00 spent, and the lead costs 75.00',
    },
    { code: 'over_pace', got: 12, want: 12, words: '12 sold today, 12 allowed by then' },
    { code: 'funds_missing', got: 1200, want: 4500, words: '12.00 can be spent, 45.00 are needed' },
    { code: 'duplicate', got: 'exclusive sale', words: 'exclusively, so no partner can get it yet' },
    { code: 'duplicate', got: 'shared sale', words: 'to this partner' },
    { code: 'suppressed', got: { list: 'dnc', of: null }, words: 'the list dnc' },
    { code: 'on_exclusion_list', got: { list: 'own', of: 'summit' }, words: 'the list own of summit' },
    { code: 'duplicate', got: { list: 'history', of: null }, words: 'the list history' },
    { code: 'had_it_before', words: '' },
    { code: 'no_slot', words: '' },
    {
      code: 'outranked',
      got: rank(4500),
      want: { offers: ['east'], ...rank(6000) },
      words: 'east paid 60.00, this one 45.00',
    },
    {
      code: 'outranked',
      got: rank(6000, 2),
      want: { offers: ['east', 'west'], ...rank(4500) },
      words: 'east and west had priority 1, this one 2',
    },
    {
      code: 'better_offer_of_partner',
      got: rank(4500),
      want: { offers: ['east'], ...rank(4500) },
      words: 'east paid 45.00, this one 45.00; the turn, the weight or the kind of sale decided',
    },
    { code: 'outranked', words: '' },
    // As a version before this one, or a later one, may have stored it.
    { code: 'cap_reached', got: { period: 'day' }, want: 5, words: 'found {"period":"day"}, wanted 5' },
  ])('show the compared values of $code: $words', ({ words, ...offer }) => {
    expect(offerInWords(offer).values).toBe(words);
  });
});

describe('the moment that belongs to a reason', () => {
  it('is the next opening, or the start of the failure', () => {
    const at = '2026-11-21T17:00:00.000Z';
    expect(offerInWords({ code: 'outside_schedule', got: 'sat 21:15', want: at }).moment).toEqual({ is: 'opens', at });
    expect(offerInWords({ code: 'outside_schedule', got: 'sat 21:15', want: null }).moment).toBeNull();
    expect(offerInWords({ code: 'endpoint_failing', got: at }).moment).toEqual({ is: 'since', at });
    expect(offerInWords({ code: 'endpoint_disabled', got: new Date(at) }).moment).toEqual({ is: 'since', at });
    expect(offerInWords({ code: 'endpoint_failing', got: 'long ago' }).moment).toBeNull();
  });
});

describe('the rules', () => {
  it('rank an offer higher the later it was left out, and the winner highest', () => {
    const codes = [
      'partner_not_active',
      'state_not_wanted',
      'phone_missing',
      'outside_schedule',
      'cap_reached',
      'funds_missing',
      'duplicate',
      'outranked',
      'sold',
    ] as const;
    const ranks = codes.map((code) => offerInWords({ code }).rank);
    expect(ranks).toEqual(ranks.toSorted((one, other) => one - other));
    expect(new Set(codes.map((code) => offerInWords({ code }).stage))).toEqual(new Set(stages));
  });
});
