import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { type Demand, type QueueDemand, shareSlots as share } from './share-slots.rules.ts';

const TOTAL = 256;
const PER_QUEUE = 16;
const PROBES = 64;
const shareSlots = (demand: Omit<Demand, 'probing'> & { probing?: number }): Map<string, number> =>
  share({ total: TOTAL, perQueue: PER_QUEUE, perQueueWhenScarce: 4, probes: PROBES }, { probing: 0, ...demand });

const well = (name: string): QueueDemand => ({ name, isBroken: false, isShared: false });

/** `{ a: 3 }` for three sendings of buyer a. */
function shared(buyers: readonly string[], busy: Record<string, number> = {}, chance = 0): Record<string, number> {
  return Object.fromEntries(shareSlots({ queues: buyers.map(well), busy: new Map(Object.entries(busy)), chance }));
}

const named = (count: number): string[] => Array.from({ length: count }, (_, index) => `b${index}`);
const allOf = (buyers: readonly string[], count: number): Record<string, number> =>
  Object.fromEntries(buyers.map((buyerKey) => [buyerKey, count]));
const sum = (counts: Iterable<number>): number => [...counts].reduce((total, count) => total + count, 0);

describe('Slots for sendings', () => {
  it.each<{ says: string; buyers: string[]; busy?: Record<string, number>; slots: Record<string, number> }>([
    { says: 'are not given out if nothing is due', buyers: [], slots: {} },
    { says: 'are 16 for a buyer alone', buyers: ['a'], slots: { a: 16 } },
    { says: 'are the ones that the buyer does not use yet', buyers: ['a'], busy: { a: 13 }, slots: { a: 3 } },
    {
      says: 'are none for a buyer that has all of its own in use',
      buyers: ['a', 'b'],
      busy: { a: 16 },
      slots: { b: 16 },
    },
    { says: 'are 16 for each of eight', buyers: named(8), slots: allOf(named(8), 16) },
    { says: 'are shared out evenly among more', buyers: named(16), slots: allOf(named(16), 8) },
    { says: 'are 4 for each of 64', buyers: named(64), slots: allOf(named(64), 4) },
    {
      says: 'are 4 at most while more than half are taken',
      buyers: ['new'],
      busy: allOf(named(9), 16),
      slots: { new: 4 },
    },
    {
      says: 'are none for a buyer that has 4 while more than half are taken',
      buyers: ['b0', 'new'],
      busy: { ...allOf(named(8), 16), b0: 5, other: 16 },
      slots: { new: 4 },
    },
    {
      says: 'go to the buyers with the fewest if only few are left',
      buyers: ['b0', 'b1', 'new', 'newer'],
      busy: { ...allOf(named(63), 4), b1: 3 },
      slots: { new: 3, newer: 2 },
    },
    { says: 'are not given out if all are taken', buyers: ['new'], busy: allOf(named(64), 4), slots: {} },
  ])('$says', ({ buyers, busy, slots }) => {
    expect(shared(buyers, busy)).toEqual(slots);
  });

  it('go to random buyers in turn if there are more buyers than slots', () => {
    const buyers = named(2 * TOTAL);
    expect(Object.keys(shared(buyers, {}, 0))).toEqual(buyers.slice(0, TOTAL));
    expect(Object.keys(shared(buyers, {}, 0.5))).toEqual(buyers.slice(TOTAL));
    expect(Object.keys(shared(buyers, {}, 1 - Number.EPSILON))[0]).toBe(buyers.at(-1));
  });

  it('are available to a new buyer as soon as one is free, beside any number of hanging endpoints', () => {
    // Endpoints that never answer take whatever they are given, until nothing is left for them.
    for (const count of [1, 8, 17, 40, 200]) {
      const hanging = named(count);
      const busy = new Map<string, number>();
      for (let given = -1; given !== 0;) {
        const more = shareSlots({ queues: hanging.map(well), busy, chance: 0.3 });
        for (const [buyerKey, slots] of more) busy.set(buyerKey, (busy.get(buyerKey) ?? 0) + slots);
        given = sum(more.values());
      }
      const [most = '', has = 0] = [...busy].toSorted(([, one], [, other]) => other - one)[0] ?? [];
      if (sum(busy.values()) === TOTAL) busy.set(most, has - 1);
      const slots = shareSlots({ queues: [...hanging, 'new'].map(well), busy, chance: 0 });
      expect(slots.get('new'), `beside ${count}`).toBeGreaterThanOrEqual(1);
    }
  });

  it('are limited to one for a queue whose channel sends everything in one call', () => {
    const queues = [{ ...well('sheet'), isShared: true }, well('hook')];
    expect([...shareSlots({ queues, chance: 0, busy: new Map() })]).toEqual([
      ['sheet', 1],
      ['hook', 16],
    ]);
    expect([...shareSlots({ queues, chance: 0, busy: new Map([['sheet', 1]]) })]).toEqual([['hook', 16]]);
  });

  it('are few for any number of broken endpoints, so that working endpoints get some', () => {
    const broken = named(10 * TOTAL).map((name) => ({ ...well(name), isBroken: true }));
    const demand = { queues: [...broken, well('new')], busy: new Map() };
    const slots = shareSlots({ ...demand, chance: 0 });
    expect([slots.get('new'), sum(slots.values())]).toEqual([PER_QUEUE, PROBES + PER_QUEUE]);
    const others = shareSlots({ ...demand, probing: PROBES - 1, chance: 0.5 });
    expect([others.get('new'), others.size]).toEqual([PER_QUEUE, 2]);
  });

  it('never exceed the total or the maximum of one buyer, and are evenly shared', () => {
    const counts = fc.array(fc.integer({ min: 0, max: PER_QUEUE }), { maxLength: 60 });
    fc.assert(
      fc.property(counts, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (taken, chance) => {
        const busy = new Map(taken.map((count, index) => [`b${index}`, count]));
        const buyers = [...busy.keys()];
        const slots = shareSlots({ queues: buyers.map(well), busy, chance });
        const after = new Map(buyers.map((key) => [key, (busy.get(key) ?? 0) + (slots.get(key) ?? 0)]));
        expect(Math.max(0, ...after.values())).toBeLessThanOrEqual(PER_QUEUE);
        expect(sum(slots.values())).toBeLessThanOrEqual(Math.max(0, TOTAL - sum(taken)));
        const least = Math.min(...after.values());
        for (const key of slots.keys()) expect(after.get(key)).toBeLessThanOrEqual(least + 1);
      }),
    );
  });
});
