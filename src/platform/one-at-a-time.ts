// Runs asynchronous work one piece after the other: owners take turns, and each owner's work keeps its order.
import { AsyncResource } from 'node:async_hooks';

export type OneAtATime = <Value>(owner: string, work: () => Promise<Value>) => Promise<Value>;

/**
 * Work that would wait for the same lock in the database waits here instead, where it holds no connection of the pool. An owner with
 * hundreds of pieces delays another one's by the piece that is under way.
 */
export function oneAtATime(): OneAtATime {
  /** By owner, in the order of their turns. */
  const waiting = new Map<string, Array<() => Promise<unknown>>>();
  let isRunning = false;

  const run = async (): Promise<void> => {
    if (isRunning) return;
    isRunning = true;
    for (let turn = waiting.entries().next(); turn.done !== true; turn = waiting.entries().next()) {
      const [owner, queue] = turn.value;
      waiting.delete(owner);
      const work = queue.shift();
      if (queue.length > 0) waiting.set(owner, queue);
      await work?.();
    }
    isRunning = false;
  };

  return <Value>(owner: string, work: () => Promise<Value>) => {
    const { promise, resolve } = Promise.withResolvers<Value>();
    const queue = waiting.get(owner) ?? [];
    // In its caller's context, which says whose rows the work may see: it may be run by another caller's turn.
    const inContext = AsyncResource.bind(work);
    queue.push(async () => {
      const result = inContext();
      resolve(result);
      // A failure is its caller's; the next piece is run all the same.
      await result.catch(() => undefined);
    });
    waiting.set(owner, queue);
    void run();
    return promise;
  };
}
