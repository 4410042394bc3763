// Work that time asks for rather than an event: run by one process of all at each time of its cron line.
import { PgBoss } from 'pg-boss';

import type { Database } from '../database/database.ts';

export type Chore = {
  readonly name: string;
  /** Five fields, UTC. */
  readonly cron: string;
  /** Safe to repeat, and short: at most a few minutes. */
  readonly run: () => Promise<void>;
};

export type Chores = { stop(): Promise<void> };

export type ChoresOptions = {
  readonly database: Pick<Database, 'libraryPool'>;
  readonly chores: readonly Chore[];
  readonly onFault: (error: unknown) => void;
};

/** A chore whose process died is taken up again after so long without a heartbeat. */
const HEARTBEAT_SECONDS = 30;
const EXPIRE_SECONDS = 600;
const STOP_TIMEOUT_MS = 8000;
/** The library waits for its own statements, which may take longer than a process that ends has time. */
const CUT_AFTER_MS = 10_000;

export async function startChores({ database, chores, onFault }: ChoresOptions): Promise<Chores> {
  // Three connections: chores are few, and the pool of the service is for the service.
  const pool = database.libraryPool({ applicationName: 'leadmarket chores', connections: 3 });
  const boss = new PgBoss(pool.config as Record<string, unknown>);
  // Once it has stopped, its last connections are cut where the server is slow to close them: that is no fault.
  let isOver = false;
  boss.on('error', (error) => {
    if (!isOver) onFault(error);
  });
  await boss.start();
  for (const chore of chores) {
    // One waiting at most: a chore that was missed for an hour is done once, not sixty times.
    await boss.createQueue(chore.name, {
      policy: 'stately',
      heartbeatSeconds: HEARTBEAT_SECONDS,
      expireInSeconds: EXPIRE_SECONDS,
      retryLimit: 0,
    });
    await boss.schedule(chore.name, chore.cron, null, { tz: 'UTC' });
    await boss.work(chore.name, { pollingIntervalSeconds: 10 }, async () => {
      try {
        await chore.run();
      } catch (error) {
        onFault(error);
        throw error;
      }
    });
  }
  return {
    async stop() {
      const patience = setTimeout(() => pool.cut(), CUT_AFTER_MS);
      await boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS });
      clearTimeout(patience);
      isOver = true;
    },
  };
}
