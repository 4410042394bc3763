// Wakes the work loops of this process when work has become due, by one small statement a second that also tells the version of the
// configuration (decision 091).
import { strict as assert } from 'node:assert';

import type { ConfigWatch } from '../marketplace/config-watch.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { TOPICS, type Wakeups } from '../platform/queue/wakeups.ts';
import { selectDueWork } from './due-work.sql.ts';

export type DueWorkOptions = {
  readonly database: Pick<Database, 'query'>;
  readonly clock: Clock;
  readonly wakeups: Pick<Wakeups, 'wakeHere'>;
  /** Is refreshed when the look finds another version. */
  readonly watch: Pick<ConfigWatch, 'version' | 'refresh'>;
  readonly onFault: (error: unknown) => void;
  /** For tests. */
  readonly everyMs?: number;
};

/**
 * How late work may begin that becomes due by time, or that another process or a command has queued while its notification is lost. What is
 * queued in this process, and what is notified, begins at once.
 */
const LOOK_EVERY_MS = 1000;

/** Stops after a running look. */
export function watchDueWork(options: DueWorkOptions): { stop(): Promise<void> } {
  const { database, clock, wakeups, watch, onFault, everyMs = LOOK_EVERY_MS } = options;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();

  /** Never rejects. */
  const look = async (): Promise<void> => {
    try {
      const [due] = await database.query(selectDueWork, { now: clock.now() });
      assert(due !== undefined, 'the table marketplace has no row');
      for (const topic of TOPICS) if (due[topic]) wakeups.wakeHere(topic);
      if (due.version !== watch.version()) await watch.refresh();
    } catch (error) {
      onFault(error);
    }
  };
  const schedule = (): void => {
    if (isStopped) return;
    timer = setTimeout(() => {
      looking = look().then(schedule);
    }, everyMs);
  };
  schedule();
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await looking;
    },
  };
}
