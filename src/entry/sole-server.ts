// Keeps this process the only server on its embedded database for as long as it runs, also when the database is killed under it: it
// is then started again, and nobody else's by the time it runs (contract 8.1).
import { setTimeout as sleep } from 'node:timers/promises';

import type { Logger } from 'pino';

import type { Config } from '../platform/config.ts';
import { reachDatabase } from '../platform/database/connect.ts';
import type { Database } from '../platform/database/database.ts';
import { type ServeLock, takeServeLock } from '../platform/database/serve-lock.ts';
import { OutsideError } from '../platform/outside-error.ts';

export type SoleServer = {
  /** Resolves when another server has come first after the database had ended: this one has to go. */
  readonly displaced: Promise<OutsideError>;
  release(): Promise<void>;
};

export type SoleServerOptions = {
  readonly config: Pick<Config, 'databaseUrl' | 'dataDir'>;
  /** Open; the caller holds the engine. */
  readonly database: Database;
  readonly log: Logger;
};

/** From one try to start the database to the next: it may be short of disk or memory, which takes a person to mend. */
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 10_000;

/** Rejects where there is a server already. */
export async function becomeSoleServer({ config, database, log }: SoleServerOptions): Promise<SoleServer> {
  const { promise: displaced, resolve: displace } = Promise.withResolvers<OutsideError>();
  let isOver = false;
  let lock: ServeLock | null = null;

  const regain = async (): Promise<void> => {
    for (let waitMs = FIRST_WAIT_MS; !isOver; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
      try {
        // Starts it where it has ended. The caller's hold counts for the new one, too, so that this one can be let go of.
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
