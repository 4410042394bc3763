import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { maxBuyers } from './best-by-price.rules.ts';
import type { IndexedOffer } from './offer-index.rules.ts';
import {
  type OfferOrder,
  orderByTurn,
  orderByWeight,
  queueByTurn,
  takeTurn,
  weightColumns,
  winnersInOrder,
} from './strategy.rules.ts';

function indexed(
  offerKey: string,
  { weight = 1, sharedWith }: { weight?: number; sharedWith?: number } = {},
): IndexedOffer {
  const sale = sharedWith === undefined ? { kind: 'exclusive' } : { kind: 'shared', buyersAtMost: sharedWith };
  return { offer: { offerKey, weight, sale }, buyer: {} } as unknown as IndexedOffer;
}

const keysOf = (offers: readonly IndexedOffer[]): string[] => offers.map(({ offer }) => offer.offerKey);

function allOf(order: OfferOrder<IndexedOffer>): string[] {
  const all: IndexedOffer[] = [];
  for (let next = order.next(1); next !== null; next = order.next(1)) all.push(next);
  return keysOf(all);
}

/** A key of four digits, so that numbers and keys have the same order. */
const numbered = (index: number, more?: Parameters<typeof indexed>[1]): IndexedOffer =>
  indexed(String(index).padStart(4, '0'), more);

/** As the service makes them: sorted by time, with random bits, and the same at most positions in one second. */
const leadIds = Array.from(
  { length: 40_000 },
  (_, index) => `0193${(5_000_000 + index).toString(16).padStart(8, '0')}-7000-8000-000000000000`,
);

/** How far counts are from the expected ones, in standard deviations of the chi-square distribution. */
function deviation(counts: readonly number[], expected: readonly number[]): number {
  const sum = counts.reduce(
    (total, count, index) => total + (count - (expected[index] ?? 0)) ** 2 / (expected[index] ?? 0),
    0,
  );
  const freedom = counts.length - 1;
  return (sum - freedom) / Math.sqrt(2 * freedom);
}

describe('the order by weight', () => {
  const weights = Array.from({ length: 100 }, (_, index) => [0.5, 1, 2, 7][index % 4] ?? 1);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const columns = weightColumns(weights.map((weight, index) => numbered(index, { weight })));

  it('gives each of many offers its share of many leads by weight, first and second place', () => {
    const firsts = weights.map(() => 0);
    // Behind the first offer, each of the others has its share again.
    const seconds = weights.map(() => 0);
    const expectedSeconds = weights.map(() => 0);
    for (const leadId of leadIds) {
      const order = orderByWeight(columns, leadId);
      const first = Number(order.next(1)?.offer.offerKey);
      const second = Number(order.next(1)?.offer.offerKey);
      firsts[first] = (firsts[first] ?? 0) + 1;
      seconds[second] = (seconds[second] ?? 0) + 1;
      for (const [index, weight] of weights.entries()) {
        if (index !== first)
          expectedSeconds[index] = (expectedSeconds[index] ?? 0) + weight / (total - (weights[first] ?? 0));
      }
    }
    const expected = weights.map((weight) => (leadIds.length * weight) / total);
    expect(Math.abs(deviation(firsts, expected))).toBeLessThan(4);
    expect(Math.abs(deviation(seconds, expectedSeconds))).toBeLessThan(4);
  });

  it('is independent from one lead to the next', () => {
    const pairs = Array.from({ length: 16 }, () => 0);
    const few = weightColumns([0, 1, 2, 3].map((index) => numbered(index)));
    const picks = leadIds.map((leadId) => Number(orderByWeight(few, leadId).next(1)?.offer.offerKey));
    for (let index = 0; index < picks.length; index += 2) {
      const pair = 4 * (picks[index] ?? 0) + (picks[index + 1] ?? 0);
      pairs[pair] = (pairs[pair] ?? 0) + 1;
    }
    expect(
      Math.abs(
        deviation(
          pairs,
          pairs.map(() => leadIds.length / 32),
        ),
      ),
    ).toBeLessThan(4);
  });

  it('stays the same among the remaining offers when others are removed, closed or passed over', () => {
    const offers = fc.uniqueArray(fc.tuple(fc.string({ minLength: 1 }), fc.constantFrom(0, 0.5, 1, 3), fc.boolean()), {
      selector: ([key]) => key,
      maxLength: 30,
    });
    fc.assert(
      fc.property(fc.uuid(), offers, (leadId, drawn) => {
        const all = drawn
          .map(([key, weight, stays]) => ({ stays, one: indexed(key, { weight, sharedWith: stays ? 3 : 2 }) }))
          .toSorted((left, right) => (left.one.offer.offerKey < right.one.offer.offerKey ? -1 : 1));
        const remaining = all.flatMap(({ stays, one }) => (stays ? one : []));
        const wanted = new Set(keysOf(remaining));
        const whole = weightColumns(all.map(({ one }) => one));
        const expected = allOf(orderByWeight(whole, leadId)).filter((key) => wanted.has(key));
        expect(allOf(orderByWeight(weightColumns(remaining), leadId))).toEqual(expected);
        expect(allOf(orderByWeight(whole, leadId, new Set(remaining)))).toEqual(expected);
        const bySharing = orderByWeight(whole, leadId);
        expect(expected.map(() => bySharing.next(3)?.offer.offerKey)).toEqual(expected);
      }),
    );
  });

  it('has offers of weight 0 last, the lowest key first', () => {
    const offers = [
      indexed('a', { weight: 0 }),
      indexed('b', { weight: 0.001 }),
      indexed('c', { weight: 0 }),
      indexed('d'),
    ];
    for (const leadId of leadIds.slice(0, 100)) {
      expect(allOf(orderByWeight(weightColumns(offers), leadId)).slice(2)).toEqual(['a', 'c']);
    }
  });
});

describe('the order by turns', () => {
  it('has the offer first whose turn is longest ago, and the lowest key among equals', () => {
    const offers = [indexed('a'), indexed('b'), indexed('c'), indexed('new')];
    const tier = { offers, members: Uint8Array.from([1, 1, 1, 1]) };
    expect(allOf(orderByTurn(queueByTurn([7, 3, 3, 0]), tier))).toEqual(['new', 'b', 'c', 'a']);
  });

  it('is that of sorting the offers of a tier by their turns, whichever turns are taken', () => {
    const turns = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 20 });
    const tiers = fc.array(fc.array(fc.boolean(), { minLength: 20, maxLength: 20 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(turns, tiers, (first, some) => {
        const last = [...first];
        const offers = last.map((_, position) => numbered(position));
        const queue = queueByTurn(last);
        for (const [lead, drawn] of some.entries()) {
          const isMember = (position: number): boolean => drawn[position] === true;
          const members = Uint8Array.from(last, (_, position) => Number(isMember(position)));
          const expected = last
            .flatMap((turn, position) => (isMember(position) ? { turn, position } : []))
            .toSorted((one, other) => one.turn - other.turn || one.position - other.position)
            .map(({ position }) => numbered(position).offer.offerKey);
          expect(allOf(orderByTurn(queue, { offers, members }))).toEqual(expected);
          const [winner] = expected;
          if (winner === undefined) continue;
          takeTurn(queue, Number(winner));
          last[Number(winner)] = 10 + lead;
        }
      }),
    );
  });
});

describe('the winners', () => {
  /** The offers as they are given. */
  function asGiven(offers: readonly IndexedOffer[]): OfferOrder<IndexedOffer> {
    const left = [...offers];
    return {
      next(buyers) {
        for (let one = left.shift(); one !== undefined; one = left.shift()) {
          if (maxBuyers(one.offer) >= buyers) return one;
        }
        return null;
      },
    };
  }

  it.each([
    ['are none if no offer is open', [], []],
    ['an exclusive offer takes the lead alone', [indexed('x'), indexed('s', { sharedWith: 3 })], ['x']],
    [
      'a shared one goes on among the shared ones',
      [indexed('s', { sharedWith: 3 }), indexed('x'), indexed('t', { sharedWith: 3 })],
      ['s', 't'],
    ],
    [
      'the smallest number among those taken binds all',
      [indexed('s', { sharedWith: 4 }), indexed('t', { sharedWith: 2 }), indexed('u', { sharedWith: 4 })],
      ['s', 't'],
    ],
    [
      'an offer that bears fewer buyers than there would be is passed over',
      [
        indexed('s', { sharedWith: 3 }),
        indexed('t', { sharedWith: 3 }),
        indexed('u', { sharedWith: 2 }),
        indexed('v', { sharedWith: 3 }),
      ],
      ['s', 't', 'v'],
    ],
    ['shared with one is alone', [indexed('s', { sharedWith: 1 }), indexed('t', { sharedWith: 3 })], ['s']],
  ])('%s', (_, open, expected) => {
    expect(keysOf(winnersInOrder(asGiven(open), () => true))).toEqual(expected);
  });

  it('are those that take part, and nobody once patience is exhausted', () => {
    const offers = [indexed('a'), indexed('b'), indexed('c')];
    const isLast = ({ offer }: IndexedOffer): boolean => offer.offerKey === 'c';
    expect(keysOf(winnersInOrder(asGiven(offers), isLast, 2))).toEqual(['c']);
    expect(winnersInOrder(asGiven(offers), isLast, 1)).toEqual([]);
  });
});
