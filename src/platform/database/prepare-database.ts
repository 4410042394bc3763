// Brings the database of a starting server to this version's schema, and waits for what passes by itself: a database that is away, and
// locks that others hold (contract 8.1).
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
  /** Resolves when the process is asked to end. */
  readonly stopped: Promise<unknown>;
};

/** After this a migration that is under way has mostly come to its end; one that waits for that of another process has not. */
const GIVEN_UP_AFTER_MS = 2000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;
/** Soon enough for somebody who watches a start. */
const SAY_EVERY_MS = 5000;
/** Each waits 5 s for the lock and up to 5 s before the next: three minutes in which those who hold it come to an end. */
const LOCKED_OUT_AT_MOST = 20;

/**
 * False where the process was asked to end first; the database is then given up. Waits for a database that is away without an end: that
 * is for the supervisor to judge, which sees that the server is not ready. Rejects where waiting is of no use.
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
  const report = speakerOf(log);
  let lockedOut = 0;
  for (let pause = FIRST_PAUSE_MS; !isStopped; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      await migrate(database, now());
      isReady = true;
    } catch (error) {
      if (isStopped) break;
      if (isLockedOut(error) && lockedOut < LOCKED_OUT_AT_MOST) {
        lockedOut += 1;
        report(`${(error as Error).message}: trying again (${lockedOut} of ${LOCKED_OUT_AT_MOST})`);
      } else {
        report(`${waitable(error, connection)} Waiting for it.`);
      }
      await unlessStopped(stopped, pause);
      continue;
    }
    if (report.hasSpoken()) log.info('the database is ready');
    return true;
  }
  return false;
}

/** What there is to wait for; throws where there is nothing. */
function waitable(error: unknown, connection: pg.ClientConfig): string {
  const unreachable = explainUnreachable(error, connection);
  if (unreachable === null) throw error;
  if (unreachable.isFinal) throw new OutsideError('database_unavailable', unreachable.says, { retryable: false });
  return unreachable.says;
}

function isLockedOut(error: unknown): boolean {
  return error instanceof Error && isTransient(error.cause);
}

type Speaker = ((line: string) => void) & { hasSpoken(): boolean };

/** The first line at once, then one every few seconds. */
function speakerOf(log: Logger): Speaker {
  let saidAt = -Infinity;
  const say = (line: string): void => {
    const at = performance.now();
    if (at - saidAt < SAY_EVERY_MS) return;
    saidAt = at;
    log.warn(line);
  };
  return Object.assign(say, { hasSpoken: () => saidAt > -Infinity });
}

async function unlessStopped(stopped: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const pause = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([pause, stopped]);
  clearTimeout(timer);
}
