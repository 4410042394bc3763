// Waits for what has to become true, however slow the machine: it looks again and again instead of sleeping for a time.
import { setTimeout as sleep } from 'node:timers/promises';

/** Far beyond what anything takes; only what never happens gets here, and says so before the test itself runs out of time. */
const WITHIN_MS = 50_000;
const EVERY_MS = 25;

/** What `look` answers as soon as it is neither null nor false. A look that throws ends the waiting with its error. */
export async function eventually<Seen>(
  what: string,
  look: () => Seen | null | false | Promise<Seen | null | false>,
  { withinMs = WITHIN_MS }: { withinMs?: number } = {},
): Promise<Seen> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const seen = await look();
    if (seen !== null && seen !== false) return seen;
    if (performance.now() > deadline) throw new Error(`within ${withinMs / 1000} s it was never so: ${what}`);
    await sleep(EVERY_MS);
  }
}
