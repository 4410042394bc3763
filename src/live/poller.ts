// Polls at an interval, one poll at a time, and on demand in between.

export type Poller = {
  /** Starts polling; does nothing if it has started. */
  start(): void;
  stop(): void;
  /** Resolves after a poll that starts after the call; a running one may have missed the latest changes. */
  pollNow(): Promise<void>;
};

export function createPoller(options: {
  readonly poll: () => Promise<void>;
  readonly everyMs: number;
  /** Called when a poll at the interval fails; polling continues. */
  readonly onFault: (error: unknown) => void;
}): Poller {
  const { poll, everyMs, onFault } = options;
  let running: Promise<void> = Promise.resolve();
  let queued: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;

  const pollNow = (): Promise<void> => {
    const begin = (): Promise<void> => {
      queued = null;
      running = poll();
      return running;
    };
    queued ??= running.then(begin, begin);
    return queued;
  };

  const schedule = (): void => {
    const mine = setTimeout(() => {
      void pollNow()
        .catch(onFault)
        .finally(() => {
          if (timer === mine) schedule();
        });
    }, everyMs);
    timer = mine;
  };

  return {
    pollNow,
    start() {
      if (timer === null) schedule();
    },
    stop() {
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
}
