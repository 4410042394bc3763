// Waits for a condition on a machine of any speed: it polls instead of sleeping for a fixed time.
import { setTimeout as sleep } from 'node:timers/promises';

import { ROOM, startSharedStopwatch } from './room.ts';

/** Far longer than any condition takes; a condition that never holds is reported here, before the test itself times out. */
const WITHIN_MS = 50_000;
const EVERY_MS = 25;

/**
 * Returns the result of `look` as soon as it is neither null nor false. An error of `look` ends the waiting. On a machine that is shared
 * with others, `withinMs` is longer by as much as they take.
 */
export async function eventually<Seen>(
  what: string,
  look: () => Seen | null | false | Promise<Seen | null | false>,
  { withinMs = WITHIN_MS }: { withinMs?: number } = {},
): Promise<Seen> {
  const waited = startSharedStopwatch();
  for (;;) {
    const seen = await look();
    if (seen !== null && seen !== false) return seen;
    if (waited() > withinMs * ROOM) throw new Error(`within ${(withinMs * ROOM) / 1000} s it was never so: ${what}`);
    await sleep(EVERY_MS);
  }
}
