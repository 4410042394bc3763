// Batches concurrent writes into shared commits without a timer: items that arrive while a flush runs form the next flush (decision 003).
import { OutsideError } from '../outside-error.ts';

export type MicroBatch<Item, Result> = {
  /** Resolves after the commit that contains the item. Rejects with `overloaded` when too many items wait. */
  add(item: Item): Promise<Result>;
  /** The number of accepted items whose result is pending. */
  pending(): number;
  /** Resolves when no item is pending. */
  drain(): Promise<void>;
};

export type MicroBatchOptions<Item, Result> = {
  /** Writes all items or none; resolves to one result per item, in order. */
  readonly flush: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Two keep the database busy while the next batch gathers; more would only split the batches. */
  readonly flushesAtOnce?: number;
  /** Larger flushes would take longer than the callers of their first items should wait. */
  readonly itemsPerFlush?: number;
  /** Above this the API responds with 503 instead of queueing longer than its callers wait. */
  readonly itemsWaiting?: number;
};

type Waiting<Item, Result> = { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void };

export function createMicroBatch<Item, Result>(options: MicroBatchOptions<Item, Result>): MicroBatch<Item, Result> {
  const flushesAtOnce = options.flushesAtOnce ?? 2;
  const itemsPerFlush = options.itemsPerFlush ?? 500;
  const itemsWaiting = options.itemsWaiting ?? 5000;
  let waiting: Array<Waiting<Item, Result>> = [];
  let running = 0;
  let pending = 0;
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
        pending -= taken.length;
        if (waiting.length > 0) start();
        if (pending === 0) {
          for (const resolve of drained) resolve();
          drained = [];
        }
      });
    }
  };

  return {
    add(item) {
      if (pending >= itemsWaiting) {
        return Promise.reject(
          new OutsideError('overloaded', 'Too many requests are waiting for storage.', { retryable: true }),
        );
      }
      pending += 1;
      return new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        if (!scheduled && running < flushesAtOnce) {
          scheduled = true;
          // After the I/O callbacks of this turn, so that requests that arrived together share a flush.
          setImmediate(start);
        }
      });
    },
    pending: () => pending,
    drain() {
      return pending === 0 ? Promise.resolve() : new Promise((resolve) => drained.push(resolve));
    },
  };
}

/** Never rejects. A batch that the database rejects is retried in halves, so that one bad item fails alone. */
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
