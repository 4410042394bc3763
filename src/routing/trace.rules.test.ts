import type { DeliveryId } from '../base/ids.ts';
import { describe, expect, it } from 'vitest';

import { anIndexed, aLead, noFilters, noLimits, theFacts } from '../../test/support/offers.ts';
import type { Choice } from './choose.rules.ts';
import type { Decision } from './decide-batch.rules.ts';
import type { IndexedOffer } from './offer-index.rules.ts';
import { type ExplainedOffer, explain, type StoredTrace, writeTrace } from './trace.rules.ts';

// Wednesday, 10:00 in Los Angeles.
const decidedAt = new Date('2026-11-18T18:00:00Z');
const facts = theFacts();

function decisionOf(choice: Partial<Choice>, retryAt: number | null = null): Decision {
  return {
    lead: aLead('lead'),
    outcome: choice.winners === undefined ? (retryAt === null ? 'rejected' : 'held') : 'routed',
    publicStatus: 'Lead Sale',
    choice: {
      winners: [],
      appointments: new Map(),
      leftOut: [],
      opensAt: null,
      willOpen: [],
      isForDuplicatesAlone: false,
      suppressedBy: null,
      ...choice,
    },
    retryAt,
  };
}

/** As stored and read again. */
function stored(decision: Decision): StoredTrace {
  const sold = decision.choice.winners.map((winner) => ({
    winner,
    deliveryId: `delivery of ${winner.offer.offerKey}` as DeliveryId,
  }));
  return JSON.parse(writeTrace(decision, sold)) as StoredTrace;
}

const explained = (decision: Decision, offers: readonly IndexedOffer[]): ExplainedOffer[] =>
  explain(stored(decision), { facts, offers, decidedAt });

describe('the stored trace', () => {
  it('names the sold offers, and the offers left out with the compared values', () => {
    const [west, next, last] = ['west', 'next', 'last'].map((offerKey) => anIndexed({ offerKey })) as [
      IndexedOffer,
      IndexedOffer,
      IndexedOffer,
    ];
    const leftOut = [
      { indexed: next, why: { code: 'cap_reached', got: { window: 'daily', used: 2 }, want: 2 } },
      { indexed: last, why: { code: 'duplicate', got: 'exclusive sale' } },
      { indexed: last, why: { code: 'had_it_before' } },
    ] as const;
    expect(stored(decisionOf({ winners: [west], leftOut }))).toEqual({
      sold: [{ offer: 'west', delivery: 'delivery of west', payoutCents: 4500 }],
      left: [
        ['next', 'cap_reached', { window: 'daily', used: 2 }, 2],
        ['last', 'duplicate', 'exclusive sale'],
        ['last', 'had_it_before'],
      ],
    });
  });

  it('says until when a lead is held, and only then', () => {
    expect(stored(decisionOf({}, 1234))).toEqual({ sold: [], left: [], retryAt: 1234 });
    expect(stored(decisionOf({}))).toEqual({ sold: [], left: [] });
  });

  it('says when the first offer opens if the lead waits longer than that', () => {
    expect(stored(decisionOf({ opensAt: 1000 }, 1234))).toEqual({ sold: [], left: [], retryAt: 1234, opensAt: 1000 });
    expect(stored(decisionOf({ opensAt: 1234 }, 1234))).toEqual({ sold: [], left: [], retryAt: 1234 });
  });
});

describe('an explanation', () => {
  it('has one result per offer in trial order', () => {
    const offers = [
      anIndexed({ offerKey: 'cheap', payoutCents: 100 }),
      anIndexed({ offerKey: 'late', priority: 2 }),
      anIndexed({ offerKey: 'paused', buyerKey: 'harbor', status: 'paused', payoutCents: 5000 }),
      anIndexed({
        offerKey: 'picky',
        buyerKey: 'keystone',
        filters: { ...noFilters, states: ['NY'] },
        payoutCents: 6000,
      }),
      anIndexed({ offerKey: 'west' }),
    ];
    const [, , , , west] = offers;
    expect(explained(decisionOf({ winners: west === undefined ? [] : [west] }), offers)).toEqual([
      {
        offerKey: 'picky',
        partnerKey: 'keystone',
        result: 'left_out',
        code: 'state_not_wanted',
        got: 'CA',
        want: ['NY'],
      },
      {
        offerKey: 'paused',
        partnerKey: 'harbor',
        result: 'left_out',
        code: 'offer_not_active',
        got: 'paused',
        want: 'active',
      },
      { offerKey: 'west', partnerKey: 'summit', result: 'sold', code: 'sold' },
      {
        offerKey: 'cheap',
        partnerKey: 'summit',
        result: 'left_out',
        code: 'better_offer_of_partner',
        got: { priority: 1, payoutCents: 100 },
        want: { offers: ['west'], priority: 1, payoutCents: 4500 },
      },
      {
        offerKey: 'late',
        partnerKey: 'summit',
        result: 'left_out',
        code: 'outranked',
        got: { priority: 2, payoutCents: 4500 },
        want: { offers: ['west'], priority: 1, payoutCents: 4500 },
      },
    ]);
  });

  it('adds up offers that share a lead, with their smallest limit on buyers', () => {
    const shares = (offerKey: string, payoutCents: number, buyersAtMost: number): IndexedOffer =>
      anIndexed({ offerKey, buyerKey: offerKey, payoutCents, sale: { kind: 'shared', buyersAtMost } });
    const winners = [shares('b', 3000, 3), shares('a', 2000, 2)];
    const offers = [...winners, shares('c', 1000, 4), anIndexed()];
    const found = explained(decisionOf({ winners }), offers);
    const want = { offers: ['a', 'b'], priority: 1, payoutCents: 5000, sharedWith: 2 };
    expect(found.find(({ offerKey }) => offerKey === 'c')).toMatchObject({
      got: { priority: 1, payoutCents: 1000, sharedWith: 4 },
      want,
    });
    expect(found.find(({ offerKey }) => offerKey === 'west')).toMatchObject({
      got: { priority: 1, payoutCents: 4500 },
      want,
    });
  });

  it('compares a partner’s offers with the one that took part, not with a better one that could not', () => {
    const offers = [
      anIndexed({ offerKey: 'capped', payoutCents: 5000, caps: { ...noLimits, daily: 0 } }),
      anIndexed({ offerKey: 'good', payoutCents: 4000 }),
      anIndexed({ offerKey: 'fair', payoutCents: 3000 }),
      anIndexed({ offerKey: 'winner', buyerKey: 'harbor', payoutCents: 9000 }),
    ];
    const [capped, , fair, winner] = offers as [IndexedOffer, IndexedOffer, IndexedOffer, IndexedOffer];
    const leftOut = [
      { indexed: capped, why: { code: 'cap_reached', got: { window: 'daily', used: 0 }, want: 0 } },
      { indexed: fair, why: { code: 'better_offer_of_partner' } },
    ] as const;
    const found = explained(decisionOf({ winners: [winner], leftOut }), offers);
    expect(found.map(({ offerKey, code, want }) => [offerKey, code, want])).toEqual([
      ['winner', 'sold', undefined],
      ['capped', 'cap_reached', 0],
      ['good', 'outranked', { offers: ['winner'], priority: 1, payoutCents: 9000 }],
      ['fair', 'better_offer_of_partner', { offers: ['good'], priority: 1, payoutCents: 4000 }],
    ]);
  });

  it('gives the partner’s local time and the next opening of a closed offer', () => {
    const closed = anIndexed(
      { schedule: [{ days: ['mon'], fromMinute: 480, toMinute: 1200 }] },
      { timeZone: 'America/Los_Angeles' },
    );
    const leftOut = [{ indexed: closed, why: { code: 'outside_schedule' } }] as const;
    expect(explained(decisionOf({ leftOut }), [closed])).toMatchObject([
      { code: 'outside_schedule', got: 'wed 10:00', want: '2026-11-23T16:00:00.000Z' },
    ]);
  });

  it('uses the stored reason even if the current filters would give another', () => {
    const indexed = anIndexed({ filters: { ...noFilters, states: ['NY'] } });
    const leftOut = [{ indexed, why: { code: 'funds_missing', got: 0, want: 4500 } }] as const;
    expect(explained(decisionOf({ leftOut }), [indexed])).toMatchObject([
      { code: 'funds_missing', got: 0, want: 4500 },
    ]);
  });
});
