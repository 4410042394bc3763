// When fresh work is due: a little before it came, because the machine that does it may be behind the one that queued it.

/** More than the clocks of kept machines differ. All fresh work is shifted alike, so that its order stays. */
export const CLOCKS_DIFFER_MS = 10_000;

/** `now` by the clock of the machine that queues the work; due at once by the clock of any other. */
export function dueAtOnce(now: Date): Date {
  return new Date(now.getTime() - CLOCKS_DIFFER_MS);
}
