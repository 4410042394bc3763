// Keeps this process the only server on its embedded database, also when the database is killed: restarts it and takes the lock again
// (contract 8.1).
import { setTimeout as sleep } from 'node:timers/promises';

import type { Logger } from 'pino';

import type { Config } from '../platform/config.ts';
import { reachDatabase } from '../platform/database/connect.ts';
import type { Database } from '../platform/database/database.ts';
import { type ServeLock, takeServeLock } from '../platform/database/serve-lock.ts';
import { OutsideError } from '../platform/outside-error.ts';

export type SoleServer = {
  /** Resolves when another server has taken the lock after the database ended: this one has to stop. */
  readonly displaced: Promise<OutsideError>;
  release(): Promise<void>;
};

export type SoleServerOptions = {
  readonly config: Pick<Config, 'databaseUrl' | 'dataDir'>;
  /** Must be open; the caller holds the engine. */
  readonly database: Database;
  readonly log: Logger;
};

/** Between attempts to start the database, which may lack disk or memory until an operator fixes that. */
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 10_000;

/** Rejects when another server is running. */
export async function becomeSoleServer({ config, database, log }: SoleServerOptions): Promise<SoleServer> {
  const { promise: displaced, resolve: displace } = Promise.withResolvers<OutsideError>();
  let isOver = false;
  let lock: ServeLock | null = null;

  const regain = async (): Promise<void> => {
    for (let waitMs = FIRST_WAIT_MS; !isOver; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
      try {
        // Starts the engine if it has ended. The caller's hold also keeps the new one, so this hold is released at once.
        await (await reachDatabase(config, (message) => log.warn(message))).release();
        lock = await takeServeLock(database, onLost);
        if (lock === null) displace(anotherServer(config.dataDir));
        else if (isOver) await lock.release();
        else log.warn('the embedded database runs again');
        return;
      } catch (error) {
        log.error({ err: error }, 'the embedded database has ended and cannot be started');
        await sleep(waitMs);
      }
    }
  };
  const onLost = (): void => {
    log.warn('the embedded database has ended: starting it again');
    void regain();
  };

  lock = await takeServeLock(database, onLost);
  if (lock === null) throw anotherServer(config.dataDir);
  return {
    displaced,
    async release() {
      isOver = true;
      await lock?.release();
    },
  };
}

function anotherServer(dataDir: string): OutsideError {
  return new OutsideError(
    'database_unavailable',
    `Another server is running on ${dataDir}. Stop it, name another DATA_DIR, or set DATABASE_URL to run several servers on one database.`,
    { retryable: false },
  );
}
