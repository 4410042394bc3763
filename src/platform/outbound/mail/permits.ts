// A semaphore whose waiters give up when their signal fires.

export type Permits = {
  /** Resolves to false when `signal` fires first. A permit that was taken must be given back. */
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
      // A set keeps its order, so the longest waiter is next.
      const [next] = waiting;
      if (next === undefined) free += 1;
      else next(true);
    },
  };
}
