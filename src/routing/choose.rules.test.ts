import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { anIndexed, aLead, noFilters, noLimits } from '../../test/support/offers.ts';
import { capSpan } from '../base/time.ts';
import { EVERY_BUYER } from '../leads/identity.rules.ts';
import type { ListHit } from '../lists/list-hits.rules.ts';
import { bestByPrice } from './best-by-price.rules.ts';
import { choose, type Market } from './choose.rules.ts';
import { makeAvailability } from './availability.rules.ts';
import type { LeadToRoute } from './lead-facts.ts';
import { localDay } from './local-day.rules.ts';
import { type IndexedOffer, byTrial, makeOfferIndex } from './offer-index.rules.ts';
import type { Offer } from './offer.ts';
import { queueByTurn } from './strategy.rules.ts';

const keys = (offers: readonly IndexedOffer[]): string[] => offers.map(({ offer }) => offer.offerKey);
const shared = (buyersAtMost: number): Offer['sale'] => ({ kind: 'shared', buyersAtMost });

/** Each key is an offer of a partner of its own with the same key. */
function tierOf(offers: Readonly<Record<string, readonly [payoutCents: number, sharedWith?: number]>>): IndexedOffer[] {
  return Object.entries(offers)
    .map(([offerKey, [payoutCents, sharedWith]]) =>
      anIndexed({
        offerKey,
        buyerKey: offerKey,
        payoutCents,
        sale: sharedWith === undefined ? { kind: 'exclusive' } : shared(sharedWith),
      }),
    )
    .toSorted((one, other) => byTrial(one.offer, other.offer));
}

describe('The best offers by price', () => {
  it.each([
    { says: 'are none among no offers', offers: {}, best: [] },
    { says: 'are the exclusive offer that pays most', offers: { a: [40], b: [45], c: [44] }, best: ['b'] },
    { says: 'are the lowest key among equals', offers: { c: [45], b: [45], d: [45] }, best: ['b'] },
    { says: 'are a lone shared offer', offers: { a: [1, 5] }, best: ['a'] },
    { says: 'are the exclusive one if it equals the sum', offers: { x: [45], a: [25, 2], b: [20, 2] }, best: ['x'] },
    {
      says: 'are the shared ones if they pay a cent more',
      offers: { x: [45], a: [26, 2], b: [20, 2] },
      best: ['a', 'b'],
    },
    { says: 'are no more than the number allows', offers: { a: [4, 2], b: [3, 2], c: [2, 2] }, best: ['a', 'b'] },
    { says: 'are all of them if these are fewer than the number', offers: { a: [4, 9], b: [3, 9] }, best: ['a', 'b'] },
    {
      says: 'are limited by the smallest number among them',
      offers: { a: [9, 2], b: [4, 3], c: [3, 3] },
      best: ['a', 'b'],
    },
    {
      says: 'leave out an offer that limits the others too much',
      offers: { a: [5, 2], b: [4, 3], c: [4, 3], d: [4, 3] },
      best: ['b', 'c', 'd'],
    },
    {
      says: 'prefer low keys if sums are equal',
      offers: { d: [6, 2], a: [4, 3], b: [3, 3], c: [3, 3] },
      best: ['a', 'b', 'c'],
    },
    {
      says: 'prefer low keys among equal payouts',
      offers: { d: [6, 2], c: [6, 2], b: [6, 2], a: [6, 2] },
      best: ['a', 'b'],
    },
  ] as const)('$says', ({ offers, best }) => {
    expect(keys(bestByPrice(tierOf(offers))).toSorted()).toEqual(best);
  });

  /** By trying every set. */
  function bruteForce(tier: readonly IndexedOffer[]): string[] {
    let best = { cents: 0, keys: [] as string[], isExclusive: false };
    for (let bits = 1; bits < 2 ** tier.length; bits += 1) {
      const set = tier.filter((_, index) => (bits & (2 ** index)) !== 0);
      const atMost = Math.min(...set.map(({ offer: { sale } }) => (sale.kind === 'shared' ? sale.buyersAtMost : 1)));
      if (set.length > atMost) continue;
      const isExclusive = set[0]?.offer.sale.kind === 'exclusive';
      const found = {
        cents: set.reduce((sum, { offer }) => sum + offer.payoutCents, 0),
        keys: keys(set).toSorted(),
        isExclusive,
      };
      const isBetter =
        found.cents !== best.cents
          ? found.cents > best.cents
          : found.isExclusive !== best.isExclusive
            ? found.isExclusive
            : found.keys.join(' ') < best.keys.join(' ');
      if (isBetter) best = found;
    }
    return best.keys;
  }

  it('are those that trying every set of offers finds', () => {
    // Few different payouts, so that equal sums are common.
    const payout = fc.integer({ min: 1, max: 6 });
    const offer = fc.oneof(fc.tuple(payout), fc.tuple(payout, fc.integer({ min: 2, max: 4 })));
    const offers = fc.dictionary(fc.constantFrom(...'abcdefghi'), offer, { maxKeys: 9, noNullPrototype: true });
    fc.assert(
      fc.property(offers, (some) => {
        const tier = tierOf(some);
        expect(keys(bestByPrice(tier)).toSorted()).toEqual(bruteForce(tier));
      }),
      { numRuns: 1000 },
    );
  });
});

type Circumstances = {
  readonly at?: string;
  readonly funds?: Readonly<Record<string, number>>;
  /** By person. */
  readonly sales?: Readonly<Record<string, readonly string[]>>;
};

function marketOf(
  offers: readonly IndexedOffer[],
  { at = '2026-11-18T12:00:00Z', funds = {}, sales = {} }: Circumstances = {},
): Market {
  const buyers = new Map(offers.map(({ buyer }) => [buyer.buyerKey, buyer]));
  const reading = (): null => null;
  return {
    offerIndex: makeOfferIndex(
      1,
      offers.map(({ offer }) => offer),
      buyers,
    ),
    availabilityOf: (indexed) => makeAvailability(indexed, new Date(at), { spanOf: capSpan, dayOf: localDay, reading }),
    fundsOf: (buyerKey) => funds[buyerKey] ?? null,
    sales: new Map(Object.entries(sales).map(([person, scopes]) => [person, new Set(scopes)])),
    strategy: 'price',
    turnQueue: queueByTurn([]),
    blocksRepeats: true,
    slotFor: () => null,
    onFailed: (_, error) => {
      throw error;
    },
  };
}

const ann = aLead('lead', { identities: ['ann', 'ann@example.com'] });
const onList = (more: Partial<ListHit>): ListHit => ({
  ...{ listKey: 'list', use: 'exclude', buyerKey: null, partners: [], offers: [], ...more },
});
const afternoon = [{ days: ['wed'], fromMinute: 780, toMinute: 840 }] as const;
const never = { ...noLimits, daily: 0 };

function chosen(offers: readonly IndexedOffer[], circumstances?: Circumstances, lead: LeadToRoute = ann) {
  const { winners, leftOut, opensAt, isForDuplicatesAlone } = choose(lead, marketOf(offers, circumstances));
  return {
    winners: keys(winners),
    left: Object.fromEntries(leftOut.map(({ indexed, why }) => [indexed.offer.offerKey, why.code])),
    opensAt: opensAt === null ? null : new Date(opensAt).toISOString(),
    isForDuplicatesAlone,
  };
}

describe('an offer is left out', () => {
  const sold = { sales: { ann: [EVERY_BUYER] } };
  const broke = { funds: { summit: 0 } };
  it.each([
    { by: 'its schedule', offer: { schedule: afternoon }, left: 'outside_schedule' },
    { by: 'a cap', offer: { caps: never }, left: 'cap_reached' },
    { by: 'a budget', offer: { budgetCents: never }, left: 'budget_reached' },
    { by: 'missing funds', market: broke, left: 'funds_missing' },
    {
      by: 'an exclusion list of its partner',
      lead: { listed: [onList({ partners: ['summit'] })] },
      left: 'on_exclusion_list',
    },
    {
      by: 'nothing when a list excludes another partner',
      lead: { listed: [onList({ partners: ['harbor'] })] },
      left: undefined,
    },
    { by: 'a list of sold leads', lead: { listed: [onList({ use: 'sold' })] }, left: 'duplicate' },
    { by: 'having had the lead', lead: { buyersBefore: new Set(['summit']) }, left: 'had_it_before' },
    { by: 'an exclusive sale of the identity', market: sold, left: 'duplicate' },
    {
      by: 'a shared sale of the identity to the same buyer',
      market: { sales: { ann: ['summit'] } },
      left: 'duplicate',
    },
    { by: 'a sale under the email address', market: { sales: { 'ann@example.com': ['summit'] } }, left: 'duplicate' },
    {
      by: 'nothing when the identity was sold shared to another buyer',
      market: { sales: { ann: ['harbor'] } },
      left: undefined,
    },
    { by: 'nothing when another identity was sold', market: { sales: { bob: [EVERY_BUYER] } }, left: undefined },
    { by: 'nothing when funds just suffice', market: { funds: { summit: 4500 } }, left: undefined },
    // The first of several reasons, in the order of the contract.
    { by: 'its schedule before caps', offer: { schedule: afternoon, caps: never }, left: 'outside_schedule' },
    { by: 'caps before budgets', offer: { caps: never, budgetCents: never }, left: 'cap_reached' },
    { by: 'budgets before funds', offer: { budgetCents: never }, market: broke, left: 'budget_reached' },
    { by: 'funds before duplicates', market: { ...broke, ...sold }, left: 'funds_missing' },
  ])('by $by', ({ offer = {}, market = {}, lead = {}, left }) => {
    const { winners, left: reasons } = chosen([anIndexed(offer)], market, {
      ...ann,
      ...lead,
    });
    expect(reasons['west']).toBe(left);
    expect(winners).toEqual(left === undefined ? ['west'] : []);
  });

  it('by a failed filter without a stored reason, because it follows from the configuration', () => {
    const offer = anIndexed({ filters: { ...noFilters, minScore: 99 } });
    expect(chosen([offer])).toEqual({ winners: [], left: {}, opensAt: null, isForDuplicatesAlone: false });
  });
});

describe('the next opening', () => {
  const opensAt = '2026-11-18T13:00:00.000Z';
  it('is the earliest among the closed offers', () => {
    const later = [{ days: ['wed'], fromMinute: 781, toMinute: 840 }] as const;
    const offers = [
      anIndexed({ offerKey: 'a', buyerKey: 'a', schedule: later }),
      anIndexed({ offerKey: 'b', buyerKey: 'b', schedule: afternoon }),
      anIndexed({ offerKey: 'c', buyerKey: 'c', caps: never }),
    ];
    expect(chosen(offers).opensAt).toBe(opensAt);
  });

  it.each([
    { says: 'funds are missing', market: { funds: { summit: 4499 } }, expected: null },
    { says: 'the buyer has had the lead', lead: { buyersBefore: new Set(['summit']) }, expected: null },
    // The sale that blocks the person may still fail.
    { says: 'the identity was sold', market: { sales: { ann: ['summit'] } }, expected: opensAt },
  ])('counts only obstacles that can pass: $says', ({ market, lead, expected }) => {
    const found = chosen([anIndexed({ schedule: afternoon })], market, { ...ann, ...lead });
    expect([found.left['west'], found.opensAt]).toEqual(['outside_schedule', expected]);
  });
});

describe('the outcome Duplicate', () => {
  const a = anIndexed({ offerKey: 'a', buyerKey: 'a' });
  const capped = anIndexed({ offerKey: 'b', buyerKey: 'b', caps: never });
  it.each([
    { says: 'applies when duplicates are the only obstacle', offers: [a], sales: ['a'], expected: true },
    {
      says: 'applies when the earlier sale blocks every other offer as well',
      offers: [a, capped],
      sales: [EVERY_BUYER],
      expected: true,
    },
    {
      says: 'does not apply when another partner would take the lead with a higher cap',
      offers: [a, capped],
      sales: ['a'],
      expected: false,
    },
    {
      says: 'does not apply when no offer is left out for duplicates',
      offers: [capped],
      sales: [EVERY_BUYER],
      expected: false,
    },
    {
      says: 'does not apply when there is a winner',
      offers: [a, anIndexed({ offerKey: 'c', buyerKey: 'c' })],
      sales: ['a'],
      expected: false,
    },
    { says: 'does not apply when no filters admit the lead', offers: [], sales: [EVERY_BUYER], expected: false },
  ])('$says', ({ offers, sales, expected }) => {
    expect(chosen(offers, { sales: { ann: sales } }).isForDuplicatesAlone).toBe(expected);
  });
});

describe('the choice', () => {
  it('takes the lowest priority number among the remaining offers', () => {
    const offers = [
      anIndexed({ offerKey: 'a', buyerKey: 'a', priority: 1, caps: never }),
      anIndexed({ offerKey: 'b', buyerKey: 'b', priority: 2, payoutCents: 1 }),
      anIndexed({ offerKey: 'c', buyerKey: 'c', priority: 3, payoutCents: 9999 }),
    ];
    expect(chosen(offers)).toMatchObject({ winners: ['b'], left: { a: 'cap_reached' } });
  });

  it('takes one offer per partner, its best open one', () => {
    const offers = [
      anIndexed({ offerKey: 'best', payoutCents: 50, sale: shared(3), caps: never }),
      anIndexed({ offerKey: 'good', payoutCents: 40, sale: shared(3) }),
      anIndexed({ offerKey: 'fair', payoutCents: 30, sale: shared(3) }),
      anIndexed({ offerKey: 'other', buyerKey: 'harbor', payoutCents: 20, sale: shared(3) }),
    ];
    expect(chosen(offers)).toMatchObject({
      winners: ['good', 'other'],
      left: { best: 'cap_reached', fair: 'better_offer_of_partner' },
    });
  });
});

describe('a suppressed lead', () => {
  it('is compared with no offer, also if one would have to wait for it', () => {
    const lead = aLead('lead', { listed: [onList({ use: 'suppress', listKey: 'dnc' })] });
    const offers = [anIndexed({ offerKey: 'west' }), anIndexed({ offerKey: 'late', schedule: afternoon })];
    expect(choose(lead, marketOf(offers))).toMatchObject({
      ...{ suppressedBy: 'dnc', winners: [], leftOut: [], opensAt: null, isForDuplicatesAlone: false },
    });
  });
});
