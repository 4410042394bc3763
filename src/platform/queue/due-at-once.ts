// Dates new work a little back, because the clock of the machine that does it may be behind the clock of the one that queued it.

/** More than synchronized clocks differ. All new work is shifted alike, so its order stays. */
export const CLOCKS_DIFFER_MS = 10_000;

/** `now` is the clock of the machine that queues the work; the result is due at once by the clock of any other machine. */
export function dueAtOnce(now: Date): Date {
  return new Date(now.getTime() - CLOCKS_DIFFER_MS);
}
