import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { IndexedOffer } from './offer-index.rules.ts';
import { pickByTurn, pickByWeight, winnersByPick } from './strategy.rules.ts';

function indexed(
  offerKey: string,
  { weight = 1, sharedWith }: { weight?: number; sharedWith?: number } = {},
): IndexedOffer {
  const sale = sharedWith === undefined ? { kind: 'exclusive' } : { kind: 'shared', buyersAtMost: sharedWith };
  return { offer: { offerKey, weight, sale }, buyer: {} } as unknown as IndexedOffer;
}

const keysOf = (offers: readonly IndexedOffer[]): string[] => offers.map(({ offer }) => offer.offerKey);

describe('picking by weight', () => {
  it('gives each offer its share of many leads by weight', () => {
    const offers = [indexed('a', { weight: 1 }), indexed('b', { weight: 2 }), indexed('c', { weight: 5 })];
    const counts: Record<string, number> = { a: 0, b: 0, c: 0 };
    const leads = 8000;
    for (let lead = 0; lead < leads; lead += 1) {
      const key = pickByWeight(`lead-${lead}`)(offers).offer.offerKey;
      counts[key] = (counts[key] ?? 0) + 1;
    }
    // Four standard deviations of the widest of the three.
    expect(Math.abs((counts['a'] ?? 0) - leads / 8)).toBeLessThan(180);
    expect(Math.abs((counts['b'] ?? 0) - leads / 4)).toBeLessThan(180);
    expect(Math.abs((counts['c'] ?? 0) - (leads * 5) / 8)).toBeLessThan(180);
  });

  it('picks the same offer for the same lead in any order of offers', () => {
    fc.assert(
      fc.property(
        fc.uuid(),
        fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 8 }),
        (lead, keys) => {
          const offers = keys.map((key, index) => indexed(key, { weight: index }));
          const pick = pickByWeight(lead);
          expect(pick(offers.toReversed()).offer.offerKey).toBe(pick(offers).offer.offerKey);
        },
      ),
    );
  });

  it('moves no lead between the remaining offers when one is removed', () => {
    const offers = ['a', 'b', 'c', 'd'].map((key) => indexed(key));
    const picks = Array.from({ length: 200 }, (_, lead) => pickByWeight(`lead-${lead}`));
    const stayed = picks.filter((pick) => pick(offers).offer.offerKey !== 'd');
    expect(stayed.map((pick) => keysOf([pick(offers.slice(0, 3))]))).toEqual(
      stayed.map((pick) => keysOf([pick(offers)])),
    );
  });

  it('picks an offer of weight 0 only when there is no other', () => {
    const none = indexed('a', { weight: 0 });
    expect(pickByWeight('lead')([none, indexed('b')]).offer.offerKey).toBe('b');
    expect(pickByWeight('lead')([indexed('z', { weight: 0 }), none]).offer.offerKey).toBe('a');
  });
});

describe('picking in turns', () => {
  it('picks the offer whose turn is longest ago, and the lowest key among equals', () => {
    const turns: Record<string, number> = { a: 7, b: 3, c: 3 };
    const pick = pickByTurn((key) => turns[key] ?? 0);
    expect(pick([indexed('a'), indexed('c'), indexed('b')]).offer.offerKey).toBe('b');
    expect(pick([indexed('a'), indexed('c'), indexed('new')]).offer.offerKey).toBe('new');
  });

  it('gives every offer one turn before any offer gets a second', () => {
    const turns = new Map<string, number>();
    const offers = ['a', 'b', 'c'].map((key) => indexed(key));
    const served = [1, 2, 3, 4, 5, 6].map((turn) => {
      const { offerKey } = pickByTurn((key) => turns.get(key) ?? 0)(offers).offer;
      turns.set(offerKey, turn);
      return offerKey;
    });
    expect(served).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
  });
});

describe('the winners', () => {
  const inOrder = (open: readonly IndexedOffer[]): IndexedOffer => open[0] as IndexedOffer;

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
    expect(keysOf(winnersByPick(open, inOrder))).toEqual(expected);
  });
});
