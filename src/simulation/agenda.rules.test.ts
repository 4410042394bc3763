import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { createAgenda } from './agenda.rules.ts';

describe('An agenda', () => {
  test('does everything in the order of time, and of writing where the time is the same', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 40 }),
        fc.integer({ min: 0, max: 9 }),
        (times, until) => {
          const agenda = createAgenda();
          const done: number[] = [];
          for (const [place, at] of times.entries()) agenda.add(at, () => done.push(place));
          const order = [...times.keys()].toSorted((one, other) => (times[one] ?? 0) - (times[other] ?? 0));
          agenda.runUntil(until);
          expect(done).toEqual(order.filter((place) => (times[place] ?? 0) <= until));
          agenda.runUntil(9);
          expect(done).toEqual(order);
        },
      ),
    );
  });

  test('does what is added meanwhile in its turn', () => {
    const agenda = createAgenda();
    const done: string[] = [];
    agenda.add(1, () => {
      done.push('one');
      agenda.add(2, () => done.push('two, added later'));
      agenda.add(0, () => done.push('late'));
    });
    agenda.add(2, () => done.push('two'));
    agenda.add(3, () => done.push('three'));
    agenda.runUntil(2);
    expect(done).toEqual(['one', 'late', 'two', 'two, added later']);
  });
});
