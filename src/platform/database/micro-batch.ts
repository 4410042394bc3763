// Lets concurrent callers share one commit without ever waiting for company: whatever has gathered while the flushes in flight
// run leaves together in the next one (decision 003).
import { OutsideError } from '../outside-error.ts';

export type MicroBatch<Item, Result> = {
  /** Resolves after the commit that holds the item. Rejects with `overloaded` when too many wait. */
  add(item: Item): Promise<Result>;
  /** Items accepted and not answered yet. */
  pending(): number;
  /** Resolves when everything accepted so far has been answered. */
  drain(): Promise<void>;
};

export type MicroBatchOptions<Item, Result> = {
  /** All of the items or none; one result per item, in order. */
  readonly flush: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Two keep the database busy while the next batch is being gathered; more only split the batches. */
  readonly flushesAtOnce?: number;
  /** Beyond this a flush takes longer than the answers of its first items should wait. */
  readonly itemsPerFlush?: number;
  /** Above this the answer is 503 rather than a queue that outlives its callers. */
  readonly itemsWaiting?: number;
};

type Waiting<Item, Result> = { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void };

export function createMicroBatch<Item, Result>(options: MicroBatchOptions<Item, Result>): MicroBatch<Item, Result> {
  const flushesAtOnce = options.flushesAtOnce ?? 2;
  const itemsPerFlush = options.itemsPerFlush ?? 500;
  const itemsWaiting = options.itemsWaiting ?? 5000;
  let waiting: Array<Waiting<Item, Result>> = [];
  let running = 0;
  let unanswered = 0;
  let scheduled = false;
  let drained: Array<() => void> = [];

  const start = (): void => {
    scheduled = false;
    while (waiting.length > 0 && running < flushesAtOnce) {
      const taken = waiting.length <= itemsPerFlush ? waiting : waiting.slice(0, itemsPerFlush);
      waiting = taken === waiting ? [] : waiting.slice(itemsPerFlush);
      running += 1;
      void flushSome(taken, options.flush).then(() => {
        running -= 1;
        unanswered -= taken.length;
        if (waiting.length > 0) start();
        if (unanswered === 0) {
          for (const resolve of drained) resolve();
          drained = [];
        }
      });
    }
  };

  return {
    add(item) {
      if (unanswered >= itemsWaiting) {
        return Promise.reject(
          new OutsideError('overloaded', 'Too many requests are waiting for storage.', { retryable: true }),
        );
      }
      unanswered += 1;
      return new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        if (!scheduled && running < flushesAtOnce) {
          scheduled = true;
          // After the I/O callbacks of this turn: requests that arrived together leave together.
          setImmediate(start);
        }
      });
    },
    pending: () => unanswered,
    drain() {
      return unanswered === 0 ? Promise.resolve() : new Promise((resolve) => drained.push(resolve));
    },
  };
}

/** Never rejects. A batch that the database refuses is tried again by halves, so that one bad item fails alone. */
async function flushSome<Item, Result>(
  taken: ReadonlyArray<Waiting<Item, Result>>,
  flush: (items: readonly Item[]) => Promise<readonly Result[]>,
): Promise<void> {
  try {
    const results = await flush(taken.map((waiting) => waiting.item));
    taken.forEach((waiting, index) => waiting.resolve(results[index] as Result));
  } catch (error) {
    if (taken.length === 1 || error instanceof OutsideError) {
      for (const waiting of taken) waiting.reject(error);
      return;
    }
    const middle = Math.ceil(taken.length / 2);
    await flushSome(taken.slice(0, middle), flush);
    await flushSome(taken.slice(middle), flush);
  }
}
