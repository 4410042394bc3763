// Runs scheduled jobs: at each time of a job's cron line exactly one process runs it (decision 041).
import { setTimeout as sleep } from 'node:timers/promises';

import { Cron } from 'croner';

import type { Clock } from '../clock.ts';
import type { Database, Tx } from '../database/database.ts';
import { PartlyDoneError } from '../work-apart.ts';
import { CLOCKS_DIFFER_MS } from './due-at-once.ts';
import { claimRun, endRun, extendRun, selectLastRun } from './scheduled-job.sql.ts';

export type ScheduledJob = {
  readonly name: string;
  /** A cron line of five fields, or six with seconds first, in UTC. */
  readonly cron: string;
  /** Asked before the run is claimed: a due time without work is passed over, at a fraction of the cost of a run that finds nothing. */
  readonly hasWork?: () => Promise<boolean>;
  /** Must be safe to repeat and to run concurrently with itself, and take a few minutes at most. `PartlyDoneError`: done but for some accounts. */
  readonly run: () => Promise<void>;
};

export type Scheduler = {
  /** Starts no more runs and waits a few seconds for the running ones. */
  stop(): Promise<void>;
};

export type SchedulerOptions = {
  readonly database: Pick<Database, 'query'>;
  readonly clock: Clock;
  readonly jobs: readonly ScheduledJob[];
  readonly onFault: (error: unknown) => void;
  readonly tickMs?: number;
};

const TICK_MS = 1000;
/** After a failed claim, or while an earlier run is still running. */
const TICKS_BEFORE_RETRY = 10;
/** The job of a process that died runs again at its next due time after this. */
const LEASE_MS = 60_000;
const EXTEND_EVERY_MS = 20_000;
/** A run that takes longer counts as failed. */
export const RUN_WITHIN_MS = 600_000;
const STOP_WITHIN_MS = 8000;

/** Runs that were due before the start are not made up for: every run handles all the work there is. */
export function startScheduler({ tickMs = TICK_MS, ...options }: SchedulerOptions): Scheduler {
  const { clock } = options;
  const running = new Set<Promise<void>>();
  let isOver = false;
  const onFault = (error: unknown): void => {
    // A stopping process cuts the connections of runs that it no longer waits for; that is not an error.
    if (!isOver) options.onFault(error);
  };
  const jobs = options.jobs.map((job) => {
    const cron = new Cron(job.cron, { timezone: 'UTC' });
    const handled = lastDue(cron, clock.now());
    return { job, cron, handled, next: dueAfter(cron, handled), ticksToWait: 0, isRunning: false };
  });
  type Watched = (typeof jobs)[number];

  const tick = (): void => {
    const now = clock.now();
    for (const watched of jobs) {
      if (watched.isRunning || --watched.ticksToWait > 0) continue;
      // Reading all cron lines each second would take longer than all else that an idle process does. A clock may have been set back.
      if (watched.handled <= now.getTime() && now.getTime() < watched.next) continue;
      const due = lastDue(watched.cron, now);
      if (due === watched.handled) continue;
      watched.isRunning = true;
      const work = attempt(watched, due).finally(() => {
        watched.isRunning = false;
        running.delete(work);
      });
      running.add(work);
    }
  };

  /** Never rejects. */
  const attempt = async (watched: Watched, due: number): Promise<void> => {
    try {
      const hasWork = (await watched.job.hasWork?.()) ?? true;
      const claim = hasWork ? await claimed(options, watched.job.name, due) : 'taken';
      if (claim === 'later') {
        watched.ticksToWait = TICKS_BEFORE_RETRY;
        return;
      }
      watched.handled = due;
      watched.next = dueAfter(watched.cron, due);
      if (claim === 'claimed') await runJob({ ...options, onFault }, watched.job, due);
    } catch (error) {
      watched.ticksToWait = TICKS_BEFORE_RETRY;
      onFault(error);
    }
  };

  const timer = setInterval(tick, tickMs);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.race([Promise.all(running), sleep(STOP_WITHIN_MS, undefined, { ref: false })]);
      isOver = true;
    },
  };
}

/** When a scheduled job last completed, in any process; null when it never did. */
export async function readLastRun(tx: Tx, name: string): Promise<Date | null> {
  const [job] = await tx.query(selectLastRun, { name });
  return job?.completedAt ?? null;
}

/** The latest due time that is not after now, in milliseconds. */
function lastDue(cron: Cron, now: Date): number {
  // The library returns times strictly before the given one.
  return cron.previousRuns(1, new Date(now.getTime() + 1))[0]?.getTime() ?? 0;
}

/** The first due time after another one. */
function dueAfter(cron: Cron, due: number): number {
  return cron.nextRun(new Date(due))?.getTime() ?? Number.POSITIVE_INFINITY;
}

/** `taken`: another process has the run; `later`: an earlier run is still running. */
async function claimed(
  { database, clock }: SchedulerOptions,
  name: string,
  due: number,
): Promise<'claimed' | 'taken' | 'later'> {
  const now = clock.now().getTime();
  const [row] = await database.query(claimRun, {
    name,
    dueAt: new Date(due),
    now: new Date(now),
    leasedUntil: new Date(now + LEASE_MS),
    latestDueAt: new Date(now + CLOCKS_DIFFER_MS),
    latestLease: new Date(now + LEASE_MS + CLOCKS_DIFFER_MS),
  });
  return row?.isClaimed === true ? 'claimed' : row?.isTaken === true ? 'taken' : 'later';
}

async function runJob({ database, clock, onFault }: SchedulerOptions, job: ScheduledJob, due: number): Promise<void> {
  const dueAt = new Date(due);
  const extension = setInterval(() => {
    const leasedUntil = new Date(clock.now().getTime() + LEASE_MS);
    database.query(extendRun, { name: job.name, dueAt, leasedUntil }).catch(onFault);
  }, EXTEND_EVERY_MS).unref();
  const timeout = new AbortController();
  let completedAt: Date | null = null;
  try {
    await Promise.race([job.run(), overdue(job.name, timeout.signal)]);
    completedAt = clock.now();
  } catch (error) {
    if (!(error instanceof PartlyDoneError)) throw error;
    completedAt = clock.now();
    onFault(error);
  } finally {
    timeout.abort();
    clearInterval(extension);
    await database.query(endRun, { name: job.name, dueAt, completedAt });
  }
}

async function overdue(name: string, signal: AbortSignal): Promise<void> {
  try {
    await sleep(RUN_WITHIN_MS, undefined, { signal, ref: false });
  } catch (error) {
    if (signal.aborted) return;
    throw error;
  }
  throw new Error(`the scheduled job ${name} took too long`);
}
