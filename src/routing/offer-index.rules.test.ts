import { describe, expect, it } from 'vitest';

import { anIndexed, noFilters, theFacts } from '../../test/support/offers.ts';
import type { Buyer } from '../buyers/buyer.ts';
import { failedFilter } from './eligibility.rules.ts';
import { type IndexedOffer, byTrial, makeOfferIndex, exclusion, type Tier, unwanted } from './offer-index.rules.ts';
import type { Offer } from './offer.ts';

const keys = (offers: readonly IndexedOffer[]): string[] => offers.map(({ offer }) => offer.offerKey);
const indexOf = (...indexed: readonly IndexedOffer[]) =>
  makeOfferIndex(
    7,
    indexed.map(({ offer }) => offer),
    new Map(indexed.map(({ buyer }) => [buyer.buyerKey, buyer])),
  );

const offersOf = (tiers: readonly Tier[]): IndexedOffer[] => tiers.flatMap((tier) => tier.offers);

const url = 'https://crm.example.com/leads';
const settings = anIndexed().buyer.settings;
const webhook: Partial<Buyer> = { channels: ['webhook'], settings: { ...settings, webhookUrl: url } };
const goneAt = new Date('2026-11-18T12:00:00Z');

describe('the exclusion of an offer by configuration', () => {
  it.each<{ says: string; offer?: Partial<Offer>; buyer?: Partial<Buyer>; left: object | null }>([
    { says: 'is none for a partner that reads the API only', left: null },
    { says: 'is none with a webhook', buyer: webhook, left: null },
    {
      says: 'is partner_not_active while the partner is paused',
      buyer: { status: 'paused' },
      left: { code: 'partner_not_active', got: 'paused', want: 'active' },
    },
    {
      says: 'is partner_not_active while the partner is suspended',
      buyer: { status: 'suspended' },
      left: { code: 'partner_not_active', got: 'suspended', want: 'active' },
    },
    {
      says: 'is offer_not_active while the offer is paused',
      offer: { status: 'paused' },
      left: { code: 'offer_not_active', got: 'paused', want: 'active' },
    },
    {
      says: 'is offer_not_active once the offer is closed',
      offer: { status: 'closed' },
      left: { code: 'offer_not_active', got: 'closed', want: 'active' },
    },
    {
      says: 'is channel_not_ready without a URL for the webhook',
      buyer: { channels: ['webhook'] },
      left: { code: 'channel_not_ready', got: 'webhookUrl', want: 'webhook' },
    },
    {
      says: 'is endpoint_disabled with a disabled endpoint',
      buyer: { ...webhook, endpointDisabledAt: goneAt },
      left: { code: 'endpoint_disabled', got: goneAt },
    },
    {
      says: 'is none when the disabled endpoint is not the primary channel',
      buyer: { endpointDisabledAt: goneAt },
      left: null,
    },
    {
      says: 'names the partner before the offer',
      offer: { status: 'paused' },
      buyer: { status: 'paused', channels: ['webhook'] },
      left: { code: 'partner_not_active', got: 'paused', want: 'active' },
    },
  ])('$says', ({ offer = {}, buyer = {}, left }) => {
    const indexed = anIndexed(offer, buyer);
    expect(exclusion(indexed.offer, indexed.buyer)).toEqual(left);
    expect(indexOf(indexed).open).toHaveLength(left === null ? 1 : 0);
  });

  it('comes before failed filters', () => {
    const filters = { ...noFilters, minScore: 99 };
    expect(unwanted(anIndexed({ filters, status: 'paused' }), theFacts())?.code).toBe('offer_not_active');
    expect(unwanted(anIndexed({ filters }), theFacts())?.code).toBe('score_too_low');
    expect(unwanted(anIndexed(), theFacts())).toBeNull();
  });
});

describe('the trial order', () => {
  it('is by priority, then by falling payout, then by key', () => {
    const offers = [
      anIndexed({ offerKey: 'e', priority: 2, payoutCents: 90 }),
      anIndexed({ offerKey: 'd', priority: 1, payoutCents: 40 }),
      anIndexed({ offerKey: 'c', priority: 1, payoutCents: 45 }),
      anIndexed({ offerKey: 'b', priority: 1, payoutCents: 45 }),
      anIndexed({ offerKey: 'b-2', priority: 1, payoutCents: 45 }),
      anIndexed({ offerKey: 'a', priority: 0, payoutCents: 1 }),
    ];
    expect(keys(indexOf(...offers).open)).toEqual(['a', 'b', 'b-2', 'c', 'd', 'e']);
    const [first] = offers;
    expect(first === undefined ? null : byTrial(first.offer, first.offer)).toBe(0);
  });
});

describe('the offer index', () => {
  const inStates = (offerKey: string, states: readonly string[], statesNot: readonly string[] = []): IndexedOffer =>
    anIndexed({ offerKey, filters: { ...noFilters, states, statesNot } });
  const offers = [
    inStates('any', []),
    inStates('west', ['CA', 'OR']),
    inStates('not-ca', [], ['CA']),
    inStates('torn', ['CA', 'NY'], ['CA']),
  ];
  const offerIndex = indexOf(...offers);

  it.each([
    ['CA', ['any', 'west']],
    ['OR', ['any', 'not-ca', 'west']],
    ['NY', ['any', 'not-ca', 'torn']],
    [null, ['any', 'not-ca']],
  ])('finds for state %s the offers whose state filters admit it, on every call', (state, expected) => {
    expect(keys(offersOf(offerIndex.tiers({ vertical: null, state })))).toEqual(expected);
    expect(keys(offersOf(offerIndex.tiers({ vertical: null, state })))).toEqual(expected);
    const byFilter = offerIndex.open.filter(({ offer }) => failedFilter(offer, theFacts({ state })) === null);
    expect(keys(byFilter)).toEqual(expected);
  });

  it('separates the priorities of a state and knows the partners with several offers in one', () => {
    const several = indexOf(
      anIndexed({ offerKey: 'a', buyerKey: 'p', priority: 2 }),
      anIndexed({ offerKey: 'b', buyerKey: 'p', priority: 1 }),
      anIndexed({ offerKey: 'c', buyerKey: 'q', priority: 2, payoutCents: 9000 }),
      anIndexed({ offerKey: 'd', buyerKey: 'q', priority: 2 }),
      anIndexed({ offerKey: 'e', buyerKey: 'r', priority: 2, filters: { ...noFilters, states: ['NY'] } }),
    );
    const tiers = several.tiers({ vertical: null, state: 'CA' }).map((tier) => ({
      offers: keys(tier.offers),
      repeated: [...tier.repeated].map(([key, ofPartner]) => [key, keys(ofPartner)]),
      members: keys(several.byKey.filter((_, position) => tier.members[position] === 1)),
    }));
    expect(tiers).toEqual([
      { offers: ['b'], repeated: [], members: ['b'] },
      { offers: ['c', 'a', 'd'], repeated: [['q', ['c', 'd']]], members: ['a', 'c', 'd'] },
    ]);
  });

  it('leaves out an offer of an unknown buyer, and keeps its version', () => {
    expect(makeOfferIndex(7, [anIndexed().offer], new Map())).toMatchObject({ version: 7, open: [] });
  });
});
