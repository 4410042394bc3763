// Runs one kind of work for as long as there is some, sleeps until woken or until the poll, and stops between two rounds.
import type { Topic, Wakeups } from './wakeups.ts';

export type WorkLoop = {
  /** Ends after the round under way. */
  stop(): Promise<void>;
};

export type WorkLoopOptions = {
  readonly topic: Topic;
  readonly wakeups: Wakeups;
  /** One round; true when there is more to do at once. */
  readonly round: () => Promise<boolean>;
  readonly onFault: (error: unknown) => void;
  /** The floor under lost wake-ups and under work that comes due by time. */
  readonly pollMs?: number;
};

// After a failed round (the database is away, say) the loop waits, so that it neither spins nor floods the log.
const FAULT_PAUSE_MS = 500;
// A round costs much the same for one piece of work as for many. So after one that left nothing over the loop rests as long as the
// round took: work that comes in meanwhile shares the next, and those who bring it get half of the machine. Nobody notices 50 ms.
const LONGEST_REST_MS = 50;

export function startWorkLoop({ topic, wakeups, round, onFault, pollMs = 1000 }: WorkLoopOptions): WorkLoop {
  let stopping = false;
  let woken = false;
  let rouse: (() => void) | null = null;

  const wake = (): void => {
    woken = true;
    rouse?.();
  };
  const unlisten = wakeups.on(topic, wake);

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
        // Being woken does not mend what failed.
        if (!stopping) await sleep(FAULT_PAUSE_MS, { wakes: false });
        continue;
      }
      if (more) continue;
      if (!stopping) await sleep(Math.min(performance.now() - began, LONGEST_REST_MS), { wakes: false });
      if (!woken && !stopping) await sleep(pollMs, { wakes: true });
    }
  };
  const ended = run();

  return {
    async stop() {
      stopping = true;
      unlisten();
      wake();
      await ended;
    },
  };
}
