// Runs rounds of one kind of work while there is some, sleeps until a wake-up or the next poll, and stops between two rounds.
import type { Topic, Wakeups } from './wakeups.ts';

export type WorkLoop = {
  /** Whether it waits for a wake-up or the next poll. */
  isAsleep(): boolean;
  /** Resolves after the current round. */
  stop(): Promise<void>;
};

export type WorkLoopOptions = {
  readonly topic: Topic;
  readonly wakeups: Wakeups;
  /** Does one round; resolves to true when there is more to do at once. */
  readonly round: () => Promise<boolean>;
  readonly onFault: (error: unknown) => void;
  /** Whether a wake-up is for this loop; asked before any loop that was started later is woken. */
  readonly heeds?: () => boolean;
  /** Milliseconds of rest after a round that took so long; `more` is what it resolved to. */
  readonly rest?: (tookMs: number, more: boolean) => number;
  /** Covers lost wake-ups and work that becomes due by time; longer where something else does (watch-due-work.ts). */
  readonly pollMs?: number | undefined;
};

// After a failed round (the database is unavailable, for example) the loop waits, so that it neither spins nor floods the log.
const FAULT_PAUSE_MS = 500;
// A round costs much the same for one item as for many. After a round that left nothing over, the loop therefore rests as long as the round
// took: items that arrive meanwhile share the next round, and half of the machine is left for accepting them. 50 ms are not noticeable.
const LONGEST_REST_MS = 50;

export function restOf(tookMs: number, more: boolean): number {
  return more ? 0 : Math.min(tookMs, LONGEST_REST_MS);
}

export function startWorkLoop(options: WorkLoopOptions): WorkLoop {
  const { topic, wakeups, round, onFault, heeds = () => true, rest = restOf, pollMs = 1000 } = options;
  let stopping = false;
  let woken = false;
  let asleep = false;
  let rouse: (() => void) | null = null;

  const wake = (): void => {
    woken = true;
    rouse?.();
  };
  const unlisten = wakeups.on(topic, () => {
    if (heeds()) wake();
  });

  const sleep = (ms: number, { wakes }: { wakes: boolean }): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(finish, ms);
      function finish(): void {
        clearTimeout(timer);
        rouse = null;
        resolve();
      }
      rouse = () => {
        if (wakes || stopping) finish();
      };
    });

  const run = async (): Promise<void> => {
    while (!stopping) {
      woken = false;
      let more = false;
      const began = performance.now();
      try {
        more = await round();
      } catch (error) {
        onFault(error);
        // A wake-up does not fix the fault, so it must not shorten the pause.
        if (!stopping) await sleep(FAULT_PAUSE_MS, { wakes: false });
        continue;
      }
      const restMs = rest(performance.now() - began, more);
      if (restMs > 0 && !stopping) await sleep(restMs, { wakes: false });
      if (more || woken || stopping) continue;
      asleep = true;
      await sleep(pollMs, { wakes: true });
      asleep = false;
    }
  };
  const ended = run();

  return {
    isAsleep: () => asleep,
    async stop() {
      stopping = true;
      unlisten();
      wake();
      await ended;
    },
  };
}
