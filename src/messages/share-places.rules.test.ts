import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { PLACES, PLACES_PER_LANE, sharePlaces } from './share-places.rules.ts';

const none: ReadonlySet<string> = new Set();

/** `{ a: 3 }` for three messages of lane a. */
function shared(lanes: readonly string[], busy: Record<string, number> = {}, broken = none): Record<string, number> {
  return Object.fromEntries(sharePlaces({ lanes, broken, busy: new Map(Object.entries(busy)), chance: 0 }));
}

const named = (count: number): string[] => Array.from({ length: count }, (_, index) => `l${index}`);
const allOf = (lanes: readonly string[], count: number): Record<string, number> =>
  Object.fromEntries(lanes.map((lane) => [lane, count]));
const sum = (counts: Iterable<number>): number => [...counts].reduce((total, count) => total + count, 0);

describe('Places for messages', () => {
  test.each<{
    says: string;
    lanes: string[];
    busy?: Record<string, number>;
    broken?: string[];
    places: Record<string, number>;
  }>([
    { says: 'are nobody’s where nothing is due', lanes: [], places: {} },
    { says: 'are 8 for a lane alone', lanes: ['a'], places: { a: 8 } },
    { says: 'are those that the lane has not in use', lanes: ['a'], busy: { a: 5 }, places: { a: 3 } },
    { says: 'are none for a lane that has all of its own in use', lanes: ['a', 'b'], busy: { a: 8 }, places: { b: 8 } },
    { says: 'are 8 for each of four', lanes: named(4), places: allOf(named(4), 8) },
    { says: 'are shared out evenly among more', lanes: named(8), places: allOf(named(8), 4) },
    { says: 'are 2 for each of 32', lanes: named(32), places: allOf(named(32), 2) },
    {
      says: 'are 2 at most while more than half are taken',
      lanes: ['new'],
      busy: allOf(named(5), 8),
      places: { new: 2 },
    },
    { says: 'are one for a lane whose breaker is open', lanes: ['a', 'b'], broken: ['a'], places: { a: 1, b: 8 } },
    {
      says: 'are none for a lane whose breaker is open while an attempt is under way',
      lanes: ['a', 'b'],
      broken: ['a'],
      busy: { a: 1 },
      places: { b: 8 },
    },
    { says: 'are nobody’s where all are taken', lanes: ['new'], busy: allOf(named(32), 2), places: {} },
  ])('$says', ({ lanes, busy, broken, places }) => {
    expect(shared(lanes, busy, new Set(broken))).toEqual(places);
  });

  test('are everybody’s in turn by chance where there are more lanes than places', () => {
    const lanes = named(2 * PLACES);
    const given = (chance: number): string[] => [
      ...sharePlaces({ lanes, broken: none, busy: new Map(), chance }).keys(),
    ];
    expect(given(0)).toEqual(lanes.slice(0, PLACES));
    expect(given(0.5)).toEqual(lanes.slice(PLACES));
    expect(given(1 - Number.EPSILON)[0]).toBe(lanes.at(-1));
  });

  test('are found by a newcomer beside up to 19 endpoints that hang with all that they were given', () => {
    for (const count of [1, 4, 5, 19]) {
      const hanging = named(count);
      const busy = new Map<string, number>();
      for (let given = -1; given !== 0;) {
        const more = sharePlaces({ lanes: hanging, broken: none, busy, chance: 0.3 });
        for (const [lane, places] of more) busy.set(lane, (busy.get(lane) ?? 0) + places);
        given = sum(more.values());
      }
      const places = sharePlaces({ lanes: [...hanging, 'new'], broken: none, busy, chance: 0 });
      expect(places.get('new'), `beside ${count}`).toBeGreaterThanOrEqual(1);
    }
  });

  test('are never more than there are, never more for one lane than its own, and evenly shared', () => {
    const counts = fc.array(fc.integer({ min: 0, max: PLACES_PER_LANE }), { maxLength: 40 });
    fc.assert(
      fc.property(counts, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (taken, chance) => {
        const busy = new Map(taken.map((count, index) => [`l${index}`, count]));
        const lanes = [...busy.keys()];
        const places = sharePlaces({ lanes, broken: none, busy, chance });
        const after = new Map(lanes.map((lane) => [lane, (busy.get(lane) ?? 0) + (places.get(lane) ?? 0)]));
        expect(Math.max(0, ...after.values())).toBeLessThanOrEqual(PLACES_PER_LANE);
        expect(sum(places.values())).toBeLessThanOrEqual(Math.max(0, PLACES - sum(taken)));
        const least = Math.min(...after.values());
        for (const lane of places.keys()) expect(after.get(lane)).toBeLessThanOrEqual(least + 1);
      }),
    );
  });
});
