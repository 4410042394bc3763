// Runs asynchronous tasks one after the other: owners take turns, and each owner's tasks keep their order.
import { AsyncResource } from 'node:async_hooks';

export type OneAtATime = <Value>(owner: string, work: () => Promise<Value>) => Promise<Value>;

/**
 * Tasks that would wait for the same lock in the database wait here instead, where they hold no connection of the pool. An owner with
 * hundreds of tasks delays another owner's by one task, the running one.
 */
export function oneAtATime(): OneAtATime {
  /** Tasks by owner, in the order of the owners' turns. */
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
    // Keeps the caller's async context, which decides whose rows the task may see: another caller's turn may run it.
    const inContext = AsyncResource.bind(work);
    queue.push(async () => {
      const result = inContext();
      resolve(result);
      // The caller gets the failure; the next task runs in any case.
      await result.catch(() => undefined);
    });
    waiting.set(owner, queue);
    void run();
    return promise;
  };
}
