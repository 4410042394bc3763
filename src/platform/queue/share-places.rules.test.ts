import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { type Demand, sharePlaces as share } from './share-places.rules.ts';

const PLACES = 256;
const PLACES_PER_LANE = 16;
const sharePlaces = (demand: Demand): Map<string, number> =>
  share({ inAll: PLACES, perLane: PLACES_PER_LANE, perLaneWhenScarce: 4 }, demand);

/** `{ a: 3 }` for three sendings of buyer a. */
function shared(buyers: readonly string[], busy: Record<string, number> = {}, chance = 0): Record<string, number> {
  return Object.fromEntries(sharePlaces({ lanes: buyers, busy: new Map(Object.entries(busy)), chance }));
}

const named = (count: number): string[] => Array.from({ length: count }, (_, index) => `b${index}`);
const allOf = (buyers: readonly string[], count: number): Record<string, number> =>
  Object.fromEntries(buyers.map((buyerKey) => [buyerKey, count]));
const sum = (counts: Iterable<number>): number => [...counts].reduce((total, count) => total + count, 0);

describe('Places for sendings', () => {
  test.each<{ says: string; buyers: string[]; busy?: Record<string, number>; places: Record<string, number> }>([
    { says: 'are nobody’s where nothing is due', buyers: [], places: {} },
    { says: 'are 16 for a buyer alone', buyers: ['a'], places: { a: 16 } },
    { says: 'are those that the buyer has not in use', buyers: ['a'], busy: { a: 13 }, places: { a: 3 } },
    {
      says: 'are none for a buyer that has all of its own in use',
      buyers: ['a', 'b'],
      busy: { a: 16 },
      places: { b: 16 },
    },
    { says: 'are 16 for each of eight', buyers: named(8), places: allOf(named(8), 16) },
    { says: 'are shared out evenly among more', buyers: named(16), places: allOf(named(16), 8) },
    { says: 'are 4 for each of 64', buyers: named(64), places: allOf(named(64), 4) },
    {
      says: 'are 4 at most while more than half are taken',
      buyers: ['new'],
      busy: allOf(named(9), 16),
      places: { new: 4 },
    },
    {
      says: 'are none for who has 4 while more than half are taken',
      buyers: ['b0', 'new'],
      busy: { ...allOf(named(8), 16), b0: 5, other: 16 },
      places: { new: 4 },
    },
    {
      says: 'go to who has the fewest where only few are left',
      buyers: ['b0', 'b1', 'new', 'newer'],
      busy: { ...allOf(named(63), 4), b1: 3 },
      places: { new: 3, newer: 2 },
    },
    { says: 'are nobody’s where all are taken', buyers: ['new'], busy: allOf(named(64), 4), places: {} },
  ])('$says', ({ buyers, busy, places }) => {
    expect(shared(buyers, busy)).toEqual(places);
  });

  test('are everybody’s in turn by chance where there are more buyers than places', () => {
    const buyers = named(2 * PLACES);
    expect(Object.keys(shared(buyers, {}, 0))).toEqual(buyers.slice(0, PLACES));
    expect(Object.keys(shared(buyers, {}, 0.5))).toEqual(buyers.slice(PLACES));
    expect(Object.keys(shared(buyers, {}, 1 - Number.EPSILON))[0]).toBe(buyers.at(-1));
  });

  test('are found by a newcomer as soon as one is free, whoever hangs', () => {
    // Endpoints that never answer take whatever they are given, until nothing is left for them.
    for (const count of [1, 8, 17, 40, 200]) {
      const hanging = named(count);
      const busy = new Map<string, number>();
      for (let given = -1; given !== 0;) {
        const more = sharePlaces({ lanes: hanging, busy, chance: 0.3 });
        for (const [buyerKey, places] of more) busy.set(buyerKey, (busy.get(buyerKey) ?? 0) + places);
        given = sum(more.values());
      }
      const [most = '', has = 0] = [...busy].toSorted(([, one], [, other]) => other - one)[0] ?? [];
      if (sum(busy.values()) === PLACES) busy.set(most, has - 1);
      const places = sharePlaces({ lanes: [...hanging, 'new'], busy, chance: 0 });
      expect(places.get('new'), `beside ${count}`).toBeGreaterThanOrEqual(1);
    }
  });

  test('are only one where no more is wanted', () => {
    const wish = { lanes: ['sheet', 'hook'], narrow: new Map([['sheet', 1]]), chance: 0 };
    expect([...sharePlaces({ ...wish, busy: new Map() })]).toEqual([
      ['sheet', 1],
      ['hook', 16],
    ]);
    expect([...sharePlaces({ ...wish, busy: new Map([['sheet', 1]]) })]).toEqual([['hook', 16]]);
  });

  test('are few for broken endpoints, however many there are, so that those in good order find some', () => {
    const many = named(10 * PLACES);
    const wish = { narrow: new Map(many.map((lane) => [lane, 1])), broken: new Set(many), busy: new Map() };
    const places = sharePlaces({ ...wish, lanes: [...many, 'new'], chance: 0 });
    expect([places.get('new'), sum(places.values())]).toEqual([PLACES_PER_LANE, PLACES / 4 + PLACES_PER_LANE]);
    const others = sharePlaces({ ...wish, lanes: [...many, 'new'], probing: PLACES / 4 - 1, chance: 0.5 });
    expect([others.get('new'), others.size]).toEqual([PLACES_PER_LANE, 2]);
  });

  test('are never more than there are, never more for one buyer than its own, and evenly shared', () => {
    const counts = fc.array(fc.integer({ min: 0, max: PLACES_PER_LANE }), { maxLength: 60 });
    fc.assert(
      fc.property(counts, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (taken, chance) => {
        const busy = new Map(taken.map((count, index) => [`b${index}`, count]));
        const buyers = [...busy.keys()];
        const places = sharePlaces({ lanes: buyers, busy, chance });
        const after = new Map(buyers.map((key) => [key, (busy.get(key) ?? 0) + (places.get(key) ?? 0)]));
        expect(Math.max(0, ...after.values())).toBeLessThanOrEqual(PLACES_PER_LANE);
        expect(sum(places.values())).toBeLessThanOrEqual(Math.max(0, PLACES - sum(taken)));
        const least = Math.min(...after.values());
        for (const key of places.keys()) expect(after.get(key)).toBeLessThanOrEqual(least + 1);
      }),
    );
  });
});
