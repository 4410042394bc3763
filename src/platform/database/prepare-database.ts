// Migrates the database of a starting server, and waits while the database is unreachable or locked by others (contract 8.1).
import type pg from 'pg';
import type { Logger } from 'pino';

import { OutsideError } from '../outside-error.ts';
import type { Database } from './database.ts';
import { explainUnreachable } from './explain-unreachable.ts';
import { migrate } from './migrate.ts';
import { isTransient } from './sql-state.ts';

export type PrepareOptions = {
  readonly database: Database;
  readonly connection: pg.ClientConfig;
  readonly log: Logger;
  readonly now: () => Date;
  /** Resolves when the process is to stop. */
  readonly stopped: Promise<unknown>;
};

/** Most running migrations finish within this time; one that waits for another process's migration is given up. */
const GIVEN_UP_AFTER_MS = 2000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;
/** Soon enough for an operator who watches the start. */
const LOG_EVERY_MS = 5000;
/** Each waits 5 s for the lock and up to 5 s before the next one: three minutes for the lock's holders to finish. */
const LOCK_RETRIES = 20;

/**
 * Resolves to false when the process is stopped first; the database is then given up. Waits for an unreachable database without a limit:
 * the supervisor sees that the server is not ready and decides. Rejects when waiting cannot help.
 */
export async function prepareDatabase(options: PrepareOptions): Promise<boolean> {
  const { database, connection, log, now, stopped } = options;
  let isStopped = false;
  let isReady = false;
  void stopped.then(() => {
    isStopped = true;
    setTimeout(() => {
      if (!isReady) database.giveUp();
    }, GIVEN_UP_AFTER_MS).unref();
  });
  const report = throttledWarnings(log);
  let lockedOut = 0;
  for (let pause = FIRST_PAUSE_MS; !isStopped; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      await migrate(database, now());
      isReady = true;
    } catch (error) {
      if (isStopped) break;
      if (isLockedOut(error) && lockedOut < LOCK_RETRIES) {
        lockedOut += 1;
        report(`${(error as Error).message}: trying again (${lockedOut} of ${LOCK_RETRIES})`);
      } else {
        report(`${waitable(error, connection)} Waiting for it.`);
      }
      await unlessStopped(stopped, pause);
      continue;
    }
    if (report.isUsed()) log.info('the database is ready');
    return true;
  }
  return false;
}

/** Describes the outage to wait for; throws when waiting cannot help. */
function waitable(error: unknown, connection: pg.ClientConfig): string {
  const unreachable = explainUnreachable(error, connection);
  if (unreachable === null) throw error;
  if (unreachable.isFinal) throw new OutsideError('database_unavailable', unreachable.says, { retryable: false });
  return unreachable.says;
}

function isLockedOut(error: unknown): boolean {
  return error instanceof Error && isTransient(error.cause);
}

type ThrottledWarnings = ((line: string) => void) & { isUsed(): boolean };

/** Logs the first line at once, then at most one every few seconds. */
function throttledWarnings(log: Logger): ThrottledWarnings {
  let loggedAt = -Infinity;
  const warn = (line: string): void => {
    const at = performance.now();
    if (at - loggedAt < LOG_EVERY_MS) return;
    loggedAt = at;
    log.warn(line);
  };
  return Object.assign(warn, { isUsed: () => loggedAt > -Infinity });
}

async function unlessStopped(stopped: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const pause = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([pause, stopped]);
  clearTimeout(timer);
}
