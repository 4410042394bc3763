// Looks again and again, one look at a time, and out of turn for who cannot wait.

export type RepeatedLook = {
  /** Begins to repeat; does nothing where it has. */
  start(): void;
  stop(): void;
  /** A look that begins from now on, never one under way, which may have missed what was done just before. */
  soon(): Promise<void>;
};

export function repeatLook(options: {
  readonly look: () => Promise<void>;
  readonly everyMs: number;
  /** Told about a look that failed in its turn; the next one follows all the same. */
  readonly onFault: (error: unknown) => void;
}): RepeatedLook {
  const { look, everyMs, onFault } = options;
  let running: Promise<void> = Promise.resolve();
  let queued: Promise<void> | null = null;
  let timer: NodeJS.Timeout | null = null;

  const soon = (): Promise<void> => {
    const begin = (): Promise<void> => {
      queued = null;
      running = look();
      return running;
    };
    queued ??= running.then(begin, begin);
    return queued;
  };

  const schedule = (): void => {
    const mine = setTimeout(() => {
      void soon()
        .catch(onFault)
        .finally(() => {
          if (timer === mine) schedule();
        });
    }, everyMs);
    timer = mine;
  };

  return {
    soon,
    start() {
      if (timer === null) schedule();
    },
    stop() {
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
}
