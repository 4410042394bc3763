import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createEventQueue } from './event-queue.rules.ts';

describe('An event queue', () => {
  it('runs all events in order of time, and in order of insertion at equal times', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 40 }),
        fc.integer({ min: 0, max: 9 }),
        (times, until) => {
          const events = createEventQueue();
          const done: number[] = [];
          for (const [position, at] of times.entries()) events.add(at, () => done.push(position));
          const order = [...times.keys()].toSorted((one, other) => (times[one] ?? 0) - (times[other] ?? 0));
          events.runUntil(until);
          expect(done).toEqual(order.filter((position) => (times[position] ?? 0) <= until));
          events.runUntil(9);
          expect(done).toEqual(order);
        },
      ),
    );
  });

  it('runs events that are added meanwhile in their order', () => {
    const events = createEventQueue();
    const done: string[] = [];
    events.add(1, () => {
      done.push('one');
      events.add(2, () => done.push('two, added later'));
      events.add(0, () => done.push('late'));
    });
    events.add(2, () => done.push('two'));
    events.add(3, () => done.push('three'));
    events.runUntil(2);
    expect(done).toEqual(['one', 'late', 'two', 'two, added later']);
  });
});
