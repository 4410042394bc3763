// Divides long work on the main thread into slices with rests between them, in which other requests are served.
import { setTimeout } from 'node:timers/promises';

/** Awaited by the work after each few dozen steps: resolves at once within a slice, and after a rest where one is due. */
export type Rest = () => Promise<void>;

/** A request of another account waits at most this long for one turn of the work, several times less than for a commit. */
const SLICE_MS = 5;
/** On a busy machine a slice takes longer by the clock; the rest need not. */
const REST_MS_MAX = 20;

/** Rests as long as it has worked, so that all the work of this kind together leaves half of the thread to others. */
export function inSlices(): Rest {
  let began = performance.now();
  return async () => {
    const worked = performance.now() - began;
    if (worked < SLICE_MS) return;
    await setTimeout(Math.min(worked, REST_MS_MAX));
    began = performance.now();
  };
}

/** For commands, whose process serves nobody else. */
export const withoutRest: Rest = () => Promise.resolve();
