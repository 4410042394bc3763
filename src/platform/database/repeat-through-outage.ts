// Runs work again while the database is away for a moment, where giving up would cost more than waiting.
import { setTimeout as sleep } from 'node:timers/promises';

import { OutsideError } from '../outside-error.ts';

/** Doubled each time: a connection that was cut alone is replaced at once, a server that restarts takes seconds. */
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1000;

/**
 * `work` must come to the same however often it has run, because what became of a run that failed is unknown. `withinMs` is asked
 * anew each time, so that a process that ends need not wait as long; no run begins later than that after the first one.
 */
export async function repeatThroughOutage<Value>(work: () => Promise<Value>, withinMs: () => number): Promise<Value> {
  const startedAt = performance.now();
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      const isOutage = error instanceof OutsideError && error.retryable;
      if (!isOutage || performance.now() - startedAt + pause > withinMs()) throw error;
    }
    await sleep(pause);
  }
}
