import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { anIndexed, aLead, noLimits, theFacts } from '../../test/support/offers.ts';
import { capSpan, capWindows, type CapWindow } from '../base/time.ts';
import { EVERY_BUYER, type SalesByIdentity } from '../leads/identity.rules.ts';
import type { Strategy } from '../marketplace/settings.ts';
import { type BatchDecision, decideBatch, type Decision, type Snapshot, scopeOf } from './decide-batch.rules.ts';
import { type LeadToRoute, identityKeysOf } from './lead-facts.ts';
import { localDay } from './local-day.rules.ts';
import { type IndexedOffer, makeOfferIndex } from './offer-index.rules.ts';
import type { Offer } from './offer.ts';
import { weekdays } from './offer.schema.ts';

type Counters = Map<string, { used: number; usedCents: number }>;

/** The market as it stands between batches: what the database would hold. */
type World = {
  readonly offers: readonly IndexedOffer[];
  readonly now: Date;
  readonly holdMs: number;
  readonly blocksRepeats: boolean;
  readonly counters: Counters;
  readonly funds: Map<string, number | null>;
  readonly sales: SalesByIdentity;
  readonly strategy: Strategy;
  readonly turns: ReadonlyMap<string, number>;
};

const counterOf = (offerKey: string, window: CapWindow): string => `${offerKey} ${window}`;

function snapshotOf({ offers, now, holdMs, blocksRepeats, counters, funds, sales, strategy, turns }: World): Snapshot {
  const buyers = new Map(offers.map(({ buyer }) => [buyer.buyerKey, buyer]));
  return {
    now,
    holdMs,
    offerIndex: makeOfferIndex(
      1,
      offers.map(({ offer }) => offer),
      buyers,
    ),
    calendar: { spanOf: capSpan, dayOf: localDay },
    readings: (offerKey) => (window) => counters.get(counterOf(offerKey, window)) ?? null,
    funds,
    sales,
    failing: new Map(),
    blocksRepeats,
    strategy,
    turns,
    slots: new Map(),
  };
}

/** Under which the sale of a lead is found: by other leads, and by its supplier's test leads. */
const soldUnder = (lead: LeadToRoute) => [...lead.identities, ...identityKeysOf({ ...lead, isTest: true })];

/** The world after a batch, as the transaction leaves it. */
function after(world: World, { grants, promised, decisions, turns: taken }: BatchDecision): World {
  const counters = new Map(world.counters);
  for (const { offerKey, windows, slots, cents } of grants) {
    for (const { window } of windows) {
      const before = counters.get(counterOf(offerKey, window)) ?? { used: 0, usedCents: 0 };
      counters.set(counterOf(offerKey, window), { used: before.used + slots, usedCents: before.usedCents + cents });
    }
  }
  const funds = new Map(
    [...world.funds].map(([key, cents]) => [key, cents === null ? null : cents - (promised.get(key) ?? 0)]),
  );
  const sales: SalesByIdentity = new Map([...world.sales].map(([person, scopes]) => [person, new Set(scopes)]));
  for (const { lead, choice } of decisions.filter((decision) => !decision.lead.isTest)) {
    for (const winner of world.blocksRepeats ? choice.winners : []) {
      for (const key of soldUnder(lead)) sales.set(key, (sales.get(key) ?? new Set()).add(scopeOf(winner)));
    }
  }
  const turns = new Map(world.turns);
  for (const offerKey of taken) turns.set(offerKey, 1 + Math.max(0, ...turns.values()));
  return { ...world, counters, funds, sales, turns };
}

const inShort = ({ lead, outcome, publicStatus, choice, retryAt }: Decision) => ({
  lead: lead.leadId,
  outcome,
  publicStatus,
  winners: choice.winners.map(({ offer }) => offer.offerKey),
  left: choice.leftOut.map(({ indexed, why }) => [indexed.offer.offerKey, why]),
  retryAt,
});

const NOW = new Date('2026-11-18T12:00:00Z');
const plain: Omit<World, 'offers'> = {
  now: NOW,
  holdMs: 900_000,
  blocksRepeats: true,
  counters: new Map(),
  funds: new Map(),
  sales: new Map(),
  strategy: 'price',
  turns: new Map(),
};
const leadAt = (id: string, minutesAgo = 0, more: Partial<LeadToRoute> = {}): LeadToRoute =>
  aLead(id, { receivedAt: NOW.getTime() - minutesAgo * 60_000, ...more });

describe('a lead', () => {
  const opensIn = (minutes: number): IndexedOffer =>
    anIndexed({ schedule: [{ days: weekdays, fromMinute: 720 + minutes, toMinute: 1440 }] });

  it.each([
    { says: 'is held until the first offer opens', offers: [opensIn(10)], minutesAgo: 0, outcome: 'held', retryIn: 10 },
    {
      says: 'is held when the first offer opens at the last instant of its hold time',
      offers: [opensIn(10)],
      minutesAgo: 5,
      outcome: 'held',
      retryIn: 10,
    },
    {
      says: 'is rejected when the first offer opens a minute after its hold time',
      offers: [opensIn(10)],
      minutesAgo: 6,
      outcome: 'rejected',
      retryIn: null,
    },
    { says: 'is rejected when no offer will open', offers: [], minutesAgo: 0, outcome: 'rejected', retryIn: null },
    {
      says: 'is routed when an offer is open',
      offers: [opensIn(0)],
      minutesAgo: 600,
      outcome: 'routed',
      retryIn: null,
    },
  ])('$says', ({ offers, minutesAgo, outcome, retryIn }) => {
    const { decisions } = decideBatch([leadAt('a', minutesAgo)], snapshotOf({ ...plain, offers }));
    expect(decisions[0]).toMatchObject({
      outcome,
      publicStatus: { held: 'Pending', rejected: 'No Buyer', routed: 'Lead Sale' }[outcome],
      retryAt: retryIn === null ? null : NOW.getTime() + retryIn * 60_000,
    });
  });

  it('gets the event type of its buyer as status', () => {
    const offers = [anIndexed({ eventType: 'Calendar Assigned' })];
    const { decisions } = decideBatch([leadAt('a')], snapshotOf({ ...plain, offers }));
    expect(decisions[0]?.publicStatus).toBe('Calendar Assigned');
  });
});

describe('leads over pace', () => {
  const HOUR = 3_600_000;
  const paced = (offerKey: string, more: Partial<Offer> = {}): IndexedOffer =>
    anIndexed({ offerKey, buyerKey: offerKey, caps: { ...noLimits, daily: 24 }, pacing: 'even', ...more });
  /** At noon 13 of 24 may have been sold, one more at once, and then one every hour. */
  const sold = (used: number): Counters =>
    new Map(['a', 'b'].map((offerKey) => [counterOf(offerKey, 'daily'), { used, usedCents: 0 }]));
  /** Hours from now until each is tried again, an hour and a millisecond counting as one. */
  const waits = (world: World, leads: readonly LeadToRoute[]): Array<number | null> =>
    decideBatch(leads, snapshotOf(world)).decisions.map(({ retryAt }) =>
      retryAt === null ? null : Math.floor(((retryAt - NOW.getTime()) / HOUR) * 1000) / 1000,
    );
  const named = (count: number, more: Partial<LeadToRoute> = {}): LeadToRoute[] =>
    Array.from({ length: count }, (_, index) => leadAt(`lead ${index}`, 0, more));

  it.each([
    {
      says: 'are retried one after the other, and at the end of their hold time when their turn would be later',
      offers: [paced('a')],
      leads: named(6),
      hours: [0, 1, 2, 3, 3.5, 3.5],
    },
    {
      says: 'wait for their turn at several offers',
      offers: [paced('a'), paced('b')],
      leads: named(6),
      hours: [0, 0, 1, 1, 2, 2],
    },
    {
      says: 'do not wait for the pace when another offer opens earlier',
      offers: [
        paced('a'),
        anIndexed({ offerKey: 'c', schedule: [{ days: weekdays, fromMinute: 810, toMinute: 1440 }] }),
      ],
      leads: named(5),
      hours: [0, 1, 1.5, 1.5, 1.5],
    },
    {
      says: 'do not take a turn that they cannot wait for',
      offers: [paced('a')],
      leads: [...named(2), leadAt('old', 180), leadAt('older', 209), ...named(2)],
      hours: [0, 1, 0.5, 0.016, 2, 3],
    },
    {
      says: 'take no turn when they are test leads',
      offers: [paced('a')],
      leads: [...named(1), ...named(3, { isTest: true }), ...named(1)],
      hours: [0, 1, 1, 1, 1],
    },
    {
      says: 'are retried before the hours end when their turn would be later',
      offers: [paced('a', { schedule: [{ days: weekdays, fromMinute: 0, toMinute: 840 }] })],
      used: 22,
      leads: named(4),
      hours: [0.25, 0.833, 1.999, 1.999],
    },
    {
      says: 'are rejected when no turn comes within their hold time',
      offers: [paced('a', { caps: { ...noLimits, daily: 13 } })],
      leads: named(2),
      hours: [null, null],
    },
  ])('$says', ({ offers, used = 13, leads, hours }) => {
    const world = { ...plain, holdMs: 3.5 * HOUR, offers, counters: sold(used) };
    expect(waits(world, leads)).toEqual(hours);
  });

  it('are sold as fast as the pace allows, without a retry of all of them each time', () => {
    const offers = [paced('a', { caps: { ...noLimits, daily: 2400 } })];
    const market: World = { ...plain, offers, counters: sold(1201) };
    const tally = { decisions: 0, routed: 0, held: 0, rejected: 0 };
    let { counters } = market;
    let queue = named(500).map((lead) => ({ at: NOW.getTime(), lead }));
    while (queue.length > 0) {
      const now = Math.min(...queue.map(({ at }) => at));
      // Of those that are due as many as a batch takes, so that batches do not know of each other.
      const due = queue.filter(({ at }) => at === now).slice(0, 100);
      const world: World = Object.assign({}, market, { now: new Date(now), counters });
      const batch = decideBatch(
        due.map(({ lead }) => lead),
        snapshotOf(world),
      );
      ({ counters } = after(world, batch));
      queue = queue.filter((item) => !due.includes(item));
      for (const { lead, outcome, retryAt } of batch.decisions) {
        tally.decisions += 1;
        tally[outcome] += 1;
        if (retryAt !== null) queue.push({ at: retryAt, lead });
      }
    }
    // A quarter of an hour at a hundred an hour.
    expect(tally).toMatchObject({ routed: 25, rejected: 475 });
    // All of them each time would be more than twenty times for each.
    expect(tally.decisions).toBeLessThan(5 * 500);
  });
});

describe('a sale', () => {
  it('updates the snapshot for the following leads', () => {
    const offers = [
      anIndexed({ caps: { ...noLimits, daily: 1 } }),
      anIndexed({ offerKey: 'next', buyerKey: 'harbor', payoutCents: 4000 }),
    ];
    const world = { ...plain, offers, funds: new Map([['harbor', 4000]]) };
    const batch = decideBatch(
      [leadAt('a'), leadAt('b'), leadAt('c'), leadAt('d', 0, { identities: ['a'] })],
      snapshotOf(world),
    );
    expect(batch.decisions.map(inShort)).toMatchObject([
      { winners: ['west'], left: [] },
      { winners: ['next'], left: [['west', { code: 'cap_reached' }]] },
      {
        winners: [],
        publicStatus: 'No Buyer',
        left: [
          ['west', { code: 'cap_reached' }],
          ['next', { code: 'funds_missing', got: 0 }],
        ],
      },
      { winners: [], publicStatus: 'No Buyer' },
    ]);
    const { from } = capSpan('daily', NOW, 'UTC');
    expect(batch.grants).toMatchObject([
      { offerKey: 'west', slots: 1, cents: 4500 },
      { offerKey: 'next', slots: 1, cents: 4000 },
    ]);
    expect(batch.grants[0]?.windows.map(({ window }) => window)).toEqual(capWindows);
    expect(batch.grants[0]?.windows[0]?.startsAt).toBe(from);
    expect(batch.promised).toEqual(
      new Map([
        ['summit', 4500],
        ['harbor', 4000],
      ]),
    );
  });

  it('does not change the given snapshot', () => {
    const world = { ...plain, offers: [anIndexed()], sales: new Map([['a', new Set(['harbor'])]]) };
    decideBatch([leadAt('a')], snapshotOf(world));
    expect(world.sales).toEqual(new Map([['a', new Set(['harbor'])]]));
  });

  it('blocks test leads of its own supplier only, in the same batch as well', () => {
    const world = { ...plain, offers: [anIndexed()], sales: new Map([['bob', new Set([EVERY_BUYER])]]) };
    const of = (supplierKey: string, identities: string[], isTest: boolean) =>
      aLead(`${supplierKey} ${identities.join()}`, { identities, isTest, facts: theFacts({ supplierKey }) });
    const { decisions } = decideBatch(
      [of('acme', ['ann'], false), of('acme', ['ann'], true), of('other', ['ann'], true), of('other', ['bob'], true)],
      snapshotOf(world),
    );
    expect(decisions.map(({ publicStatus }) => publicStatus)).toEqual([
      'Lead Sale',
      'Duplicate',
      'Lead Sale',
      'Lead Sale',
    ]);
  });

  it('blocks every buyer if exclusive and its own buyer if shared', () => {
    expect(scopeOf(anIndexed())).toBe(EVERY_BUYER);
    expect(scopeOf(anIndexed({ sale: { kind: 'shared', buyersAtMost: 2 } }))).toBe('summit');
  });
});

describe('a batch of any leads in any market', () => {
  // Most have room: a market in which everybody is shut says little.
  const small = fc.oneof(
    { weight: 3, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 8 }) },
  );
  const people = ['ann', 'bob', 'eve', 'gus', 'ida', 'joe', 'kim', 'lea', 'max'];
  const limits = fc.record({ daily: small, weekly: small, monthly: small });
  const offer: fc.Arbitrary<Partial<Offer>> = fc.record({
    payoutCents: fc.integer({ min: 1, max: 5 }),
    priority: fc.integer({ min: 1, max: 2 }),
    sale: fc.oneof(
      fc.constant({ kind: 'exclusive' as const }),
      fc.integer({ min: 2, max: 3 }).map((buyersAtMost) => ({ kind: 'shared' as const, buyersAtMost })),
    ),
    caps: limits,
    budgetCents: limits,
    pacing: fc.constantFrom('asap' as const, 'even' as const),
    schedule: fc.option(
      fc.constantFrom(
        [{ days: weekdays, fromMinute: 600, toMinute: 900 }],
        [{ days: weekdays, fromMinute: 725, toMinute: 900 }],
      ),
      { nil: null },
    ),
  });
  const offers = fc
    .array(fc.tuple(offer, fc.constantFrom('p', 'q', 'r')), { minLength: 1, maxLength: 6 })
    .map((list) => list.map(([one, buyerKey], index) => anIndexed({ ...one, offerKey: `o${index}`, buyerKey })));
  const leads = fc
    .array(
      fc.record({
        identities: fc.subarray(people, { minLength: 1, maxLength: 2 }),
        minutesAgo: fc.integer({ min: 0, max: 16 }),
        isTest: fc.boolean(),
        buyersBefore: fc.subarray(['p', 'q'], { maxLength: 1 }).map((keys) => new Set(keys)),
      }),
      { minLength: 1, maxLength: 12 },
    )
    .map((list) => list.map(({ minutesAgo, ...more }, index) => leadAt(`lead ${index}`, minutesAgo, more)));
  const use = fc.record({ used: fc.integer({ min: 0, max: 2 }), usedCents: fc.integer({ min: 0, max: 2 }) });
  const worlds = fc
    .record({
      offers,
      uses: fc.array(use, { minLength: 18, maxLength: 18 }),
      funds: fc.dictionary(fc.constantFrom('p', 'q', 'r'), small),
      sales: fc.dictionary(fc.constantFrom('ann', 'bob'), fc.subarray([EVERY_BUYER, 'p', 'q'])),
      blocksRepeats: fc.boolean(),
      strategy: fc.constantFrom<Strategy>('price', 'weighted', 'round_robin'),
    })
    .map(({ uses, funds, sales, ...rest }): World => ({
      ...plain,
      ...rest,
      counters: new Map(
        rest.offers.flatMap(({ offer: { offerKey } }, index) =>
          capWindows.map(
            (window, at) => [counterOf(offerKey, window), uses[index * 3 + at] ?? { used: 0, usedCents: 0 }] as const,
          ),
        ),
      ),
      funds: new Map(Object.entries(funds)),
      // Nobody counts as sold where a sale blocks nobody.
      sales: new Map(
        rest.blocksRepeats ? Object.entries(sales).map(([person, scopes]) => [person, new Set(scopes)]) : [],
      ),
    }));

  it('grants no more than caps, budgets and funds allow', () => {
    fc.assert(
      fc.property(worlds, leads, (world, some) => {
        const batch = decideBatch(some, snapshotOf(world));
        const then = after(world, batch);
        for (const { offerKey } of batch.grants) {
          const granted = world.offers.find((indexed) => indexed.offer.offerKey === offerKey)?.offer;
          for (const window of capWindows) {
            const { used, usedCents } = then.counters.get(counterOf(offerKey, window)) ?? { used: 0, usedCents: 0 };
            expect(used).toBeLessThanOrEqual(granted?.caps[window] ?? Infinity);
            expect(usedCents).toBeLessThanOrEqual(granted?.budgetCents[window] ?? Infinity);
          }
        }
        for (const [buyerKey] of batch.promised) expect(then.funds.get(buyerKey) ?? 0).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 500 },
    );
  });

  it('grants and commits exactly what was sold, test leads excluded', () => {
    fc.assert(
      fc.property(worlds, leads, (world, some) => {
        const { decisions, grants, promised } = decideBatch(some, snapshotOf(world));
        const sold = decisions
          .filter(({ lead }) => !lead.isTest)
          .flatMap(({ choice }) => choice.winners.map((winner) => winner.offer));
        for (const { offer: one } of world.offers) {
          const count = sold.filter(({ offerKey }) => offerKey === one.offerKey).length;
          const grant = grants.find(({ offerKey }) => offerKey === one.offerKey);
          expect([grant?.slots ?? 0, grant?.cents ?? 0]).toEqual([count, count * one.payoutCents]);
          const owed = sold
            .filter(({ buyerKey }) => buyerKey === one.buyerKey)
            .reduce((sum, { payoutCents }) => sum + payoutCents, 0);
          expect(promised.get(one.buyerKey) ?? 0).toBe(owed);
        }
      }),
    );
  });

  it('sells a lead to one buyer or to no more than each of them accepts, and to no buyer twice', () => {
    fc.assert(
      fc.property(worlds, leads, (world, some) => {
        for (const { choice, lead, outcome } of decideBatch(some, snapshotOf(world)).decisions) {
          const winners = choice.winners.map((winner) => winner.offer);
          expect(outcome === 'routed').toBe(winners.length > 0);
          for (const { sale } of winners) {
            expect(winners.length).toBeLessThanOrEqual(sale.kind === 'shared' ? sale.buyersAtMost : 1);
          }
          const buyers = winners.map(({ buyerKey }) => buyerKey);
          expect(new Set(buyers).size).toBe(buyers.length);
          expect(buyers.filter((key) => lead.buyersBefore.has(key))).toEqual([]);
        }
      }),
    );
  });

  it('sells an identity to no buyer after an exclusive sale, and to no buyer twice', () => {
    fc.assert(
      fc.property(worlds, leads, (world, some) => {
        if (!world.blocksRepeats) return;
        const scopes = new Map([...world.sales].map(([person, known]) => [person, new Set(known)]));
        for (const { lead, choice } of decideBatch(some, snapshotOf(world)).decisions) {
          for (const key of identityKeysOf(lead)) {
            const known = scopes.get(key) ?? new Set();
            for (const { offer: one } of choice.winners) {
              expect(known.has(EVERY_BUYER) || known.has(one.buyerKey)).toBe(false);
            }
          }
          for (const key of lead.isTest ? [] : soldUnder(lead)) {
            scopes.set(key, new Set([...(scopes.get(key) ?? []), ...choice.winners.map(scopeOf)]));
          }
        }
      }),
    );
  });

  it('holds a lead only until a later instant within its hold time', () => {
    fc.assert(
      fc.property(worlds, leads, (world, some) => {
        for (const { lead, outcome, retryAt } of decideBatch(some, snapshotOf(world)).decisions) {
          expect(retryAt !== null).toBe(outcome === 'held');
          if (retryAt === null) continue;
          expect(retryAt).toBeGreaterThan(world.now.getTime());
          expect(retryAt).toBeLessThanOrEqual(lead.receivedAt + world.holdMs);
        }
      }),
    );
  });

  it('decides the same wherever batches are split, except for retry times of held leads', () => {
    const whenever = (decision: ReturnType<typeof inShort>) => ({ ...decision, retryAt: 'whenever' });
    fc.assert(
      fc.property(worlds, leads, (world, some) => {
        const together = decideBatch(some, snapshotOf(world)).decisions.map(inShort);
        let claimStatus = world;
        const apart = some.flatMap((lead) => {
          const batch = decideBatch([lead], snapshotOf(claimStatus));
          claimStatus = after(claimStatus, batch);
          return batch.decisions.map(inShort);
        });
        expect(together.map(whenever)).toEqual(apart.map(whenever));
        for (const [index, { retryAt }] of together.entries()) {
          const alone = apart[index]?.retryAt ?? null;
          // Never earlier than alone: the first opening is the same.
          if (alone !== null) expect(retryAt).toBeGreaterThanOrEqual(alone);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('decides the other leads the same with and without test leads', () => {
    fc.assert(
      fc.property(worlds, leads, (world, some) => {
        const live = some.filter(({ isTest }) => !isTest);
        const beside = decideBatch(some, snapshotOf(world));
        const alone = decideBatch(live, snapshotOf(world));
        expect(beside.decisions.filter(({ lead }) => !lead.isTest).map(inShort)).toEqual(alone.decisions.map(inShort));
        expect(beside.grants).toEqual(alone.grants);
      }),
    );
  });

  it('gives a reason for every offer when a lead has no winner', () => {
    fc.assert(
      fc.property(worlds, leads, (world, some) => {
        const unsold = decideBatch(some, snapshotOf(world)).decisions.filter(
          ({ choice }) => choice.winners.length === 0,
        );
        expect(unsold.map(({ choice }) => choice.leftOut.length)).toEqual(unsold.map(() => world.offers.length));
      }),
    );
  });
});

describe('a lead that no filters admit', () => {
  it('is rejected without stored reasons when no filters admit it', () => {
    const offers = [anIndexed({ filters: { ...anIndexed().offer.filters, states: ['NY'] } })];
    const { decisions } = decideBatch(
      [leadAt('a', 0, { facts: theFacts({ state: null }) })],
      snapshotOf({ ...plain, offers }),
    );
    expect(decisions.map(inShort)).toMatchObject([{ outcome: 'rejected', publicStatus: 'No Buyer', left: [] }]);
  });
});
