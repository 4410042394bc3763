import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { OutsideError } from '../outside-error.ts';
import { createMicroBatch } from './micro-batch.ts';

/** A store whose flushes end when the test says so. */
function createStore() {
  const flushes: Array<{ readonly items: readonly string[]; end(error?: Error): void }> = [];
  return {
    flushes,
    flush: (items: readonly string[]): Promise<readonly string[]> =>
      new Promise((resolve, reject) => {
        flushes.push({
          items,
          end: (error) => (error === undefined ? resolve(items.map((item) => `${item} stored`)) : reject(error)),
        });
      }),
  };
}

/** Until whatever is due in this turn of the event loop, and what that brings about, has happened. */
async function turn(): Promise<void> {
  for (let times = 0; times < 3; times += 1) await new Promise((resolve) => setImmediate(resolve));
}

describe('A micro-batch', () => {
  it('sends a lone item at once, and resolves when it is stored', async () => {
    const { flush, flushes } = createStore();
    const batch = createMicroBatch({ flush });
    const answer = batch.add('a');
    expect(batch.pending()).toBe(1);
    await turn();
    expect(flushes.map(({ items }) => items)).toEqual([['a']]);
    flushes[0]?.end();
    expect(await answer).toBe('a stored');
    await turn();
    expect(batch.pending()).toBe(0);
  });

  it('sends the items of one turn together, and returns to each its own result', async () => {
    const { flush, flushes } = createStore();
    const batch = createMicroBatch({ flush });
    const answers = ['a', 'b', 'c'].map((item) => batch.add(item));
    await turn();
    expect(flushes.map(({ items }) => items)).toEqual([['a', 'b', 'c']]);
    flushes[0]?.end();
    expect(await Promise.all(answers)).toEqual(['a stored', 'b stored', 'c stored']);
  });

  it('collects items that arrive during a flush, and sends them with the next', async () => {
    const { flush, flushes } = createStore();
    const batch = createMicroBatch({ flush, flushesAtOnce: 2 });
    const answers: Array<Promise<string>> = [];
    for (const item of ['a', 'b', 'c', 'd']) {
      answers.push(batch.add(item));
      await turn();
    }
    expect(flushes.map(({ items }) => items)).toEqual([['a'], ['b']]);
    flushes[1]?.end();
    await turn();
    expect(flushes.map(({ items }) => items)).toEqual([['a'], ['b'], ['c', 'd']]);
    flushes[0]?.end();
    flushes[2]?.end();
    expect(await Promise.all(answers)).toEqual(['a stored', 'b stored', 'c stored', 'd stored']);
  });

  it('sends no more items at a time than its maximum, and the rest in order', async () => {
    const { flush, flushes } = createStore();
    const batch = createMicroBatch({ flush, flushesAtOnce: 1, itemsPerFlush: 2 });
    const answers = ['a', 'b', 'c', 'd', 'e'].map((item) => batch.add(item));
    for (let flushed = 0; flushed < 3; flushed += 1) {
      await turn();
      flushes[flushed]?.end();
    }
    await Promise.all(answers);
    expect(flushes.map(({ items }) => items)).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
  });

  it('rejects items that would wait too long, and accepts items again when there is room', async () => {
    const { flush, flushes } = createStore();
    const batch = createMicroBatch({ flush, itemsWaiting: 2 });
    const answers = ['a', 'b'].map((item) => batch.add(item));
    await expect(batch.add('c')).rejects.toMatchObject({ code: 'overloaded', retryable: true });
    await turn();
    flushes[0]?.end();
    await Promise.all(answers);
    await turn();
    const again = batch.add('d');
    await turn();
    flushes[1]?.end();
    expect(await again).toBe('d stored');
  });

  it('rejects all items of a flush when storage itself fails, without a retry', async () => {
    const { flush, flushes } = createStore();
    const batch = createMicroBatch({ flush });
    const answers = Promise.allSettled(['a', 'b'].map((item) => batch.add(item)));
    await turn();
    const down = new OutsideError('database_unavailable', 'Storage is unavailable.', { retryable: true });
    flushes[0]?.end(down);
    expect((await answers).map((answer) => answer.status === 'rejected' && answer.reason)).toEqual([down, down]);
    expect(flushes).toHaveLength(1);
  });

  it('has drained when every item has its result, at once if nothing waits', async () => {
    const { flush, flushes } = createStore();
    const batch = createMicroBatch({ flush });
    await batch.drain();
    const answer = batch.add('a');
    let isDrained = false;
    const drained = batch.drain().then(() => {
      isDrained = true;
    });
    await turn();
    expect(isDrained).toBe(false);
    flushes[0]?.end();
    await Promise.all([answer, drained]);
    expect(batch.pending()).toBe(0);
  });

  it('returns a result for every item, for any rejected items and any number of flushes', async () => {
    const items = fc.array(fc.boolean(), { minLength: 1, maxLength: 60 });
    const sizes = fc.record({
      flushesAtOnce: fc.integer({ min: 1, max: 3 }),
      itemsPerFlush: fc.integer({ min: 1, max: 20 }),
    });
    await fc.assert(
      fc.asyncProperty(items, sizes, async (bad, options) => {
        const stored: number[] = [];
        const batch = createMicroBatch<number, number>({
          ...options,
          // All of them or none, as a statement does it.
          async flush(indexes) {
            await Promise.resolve();
            if (indexes.some((index) => bad[index])) throw new Error('refused');
            stored.push(...indexes);
            return indexes.map((index) => index * 10);
          },
        });
        const answers = await Promise.allSettled(bad.map((_, index) => batch.add(index)));
        expect(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : null))).toEqual(
          bad.map((isBad, index) => (isBad ? null : index * 10)),
        );
        expect(stored.toSorted((one, other) => one - other)).toEqual(
          bad.flatMap((isBad, index) => (isBad ? [] : [index])),
        );
      }),
    );
  });
});
