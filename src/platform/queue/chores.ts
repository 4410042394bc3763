// Work that time asks for rather than an event: run by one process of all at each time of its cron line (design: engine, queue).
import type pg from 'pg';
import { PgBoss } from 'pg-boss';

export type Chore = {
  readonly name: string;
  /** Five fields, UTC. */
  readonly cron: string;
  /** Safe to repeat, and short: at most a few minutes. */
  readonly run: () => Promise<void>;
};

export type Chores = { stop(): Promise<void> };

export type ChoresOptions = {
  readonly connection: pg.ClientConfig;
  readonly chores: readonly Chore[];
  readonly onFault: (error: unknown) => void;
};

/** A chore whose process died is taken up again after so long without a heartbeat. */
const HEARTBEAT_SECONDS = 30;
const EXPIRE_SECONDS = 600;
const STOP_TIMEOUT_MS = 10_000;

export async function startChores({ connection, chores, onFault }: ChoresOptions): Promise<Chores> {
  // Three connections: chores are few, and the pool of the service is for the service.
  const boss = new PgBoss({
    ...(connection as Record<string, unknown>),
    max: 3,
    application_name: 'leadmarket chores',
  });
  boss.on('error', onFault);
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
      await boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS });
    },
  };
}
