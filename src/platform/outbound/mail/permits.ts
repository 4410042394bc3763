// A few places for many: who comes too late waits for a while and is then sent away, instead of waiting until its time is over.

export type Permits = {
  /** False when `signal` fires first. What was taken has to be given back. */
  take(signal: AbortSignal): Promise<boolean>;
  giveBack(): void;
};

export function createPermits(count: number): Permits {
  let free = count;
  const waiting = new Set<(isTaken: boolean) => void>();
  return {
    take(signal) {
      if (free > 0) {
        free -= 1;
        return Promise.resolve(true);
      }
      if (signal.aborted) return Promise.resolve(false);
      return new Promise((resolve) => {
        const onAbort = (): void => settle(false);
        const settle = (isTaken: boolean): void => {
          waiting.delete(settle);
          signal.removeEventListener('abort', onAbort);
          resolve(isTaken);
        };
        waiting.add(settle);
        signal.addEventListener('abort', onAbort);
      });
    },
    giveBack() {
      // A set keeps its order: who waits longest is next.
      const [next] = waiting;
      if (next === undefined) free += 1;
      else next(true);
    },
  };
}
