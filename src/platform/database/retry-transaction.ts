// Repeats transactions: after a deadlock or serialization failure, and through a short outage of the database.
import { isTransient } from './sql-state.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { OutsideError } from '../outside-error.ts';

/** A deadlock is resolved by the first repetition; more than a few in a row have another cause. */
const RUNS = 5;

/** Repeats `work` when the database rolled it back for another transaction. `work` must consist of whole transactions. */
export async function repeatTransient<Value>(work: () => Promise<Value>): Promise<Value> {
  for (let run = 1; ; run += 1) {
    try {
      return await work();
    } catch (error) {
      if (run === RUNS || !isTransient(error)) throw error;
    }
  }
}

/** Doubled each time: a single cut connection is replaced at once, a restarting server takes seconds. */
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1000;

/**
 * Repeats `work` while the database is unavailable. `work` must be idempotent, because the outcome of a failed run is unknown. No run
 * starts later than `withinMs` after the first one; it is called each time, so that a stopping process can shorten the wait.
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
