// Runs scheduled jobs: at each time of a job's cron line one process of all runs it (decision 041).
import { setTimeout as sleep } from 'node:timers/promises';

import { Cron } from 'croner';

import type { Clock } from '../clock.ts';
import type { Database, Tx } from '../database/database.ts';
import { CLOCKS_DIFFER_MS } from './due-at-once.ts';
import { claimRun, endRun, extendRun, selectLastRun } from './scheduled-job.sql.ts';

export type ScheduledJob = {
  readonly name: string;
  /** Five fields, UTC. */
  readonly cron: string;
  /** Safe to repeat and to run beside itself, and short: at most a few minutes. */
  readonly run: () => Promise<void>;
};

export type Scheduler = {
  /** Starts no more runs and waits some seconds for those under way. */
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
/** After a claim that failed, or while an earlier run goes on. */
const TICKS_UNTIL_ASKED_AGAIN = 10;
/** The job of a process that died runs again at its next due time after this. */
const LEASE_MS = 60_000;
const EXTEND_EVERY_MS = 20_000;
/** A run that takes longer counts as failed. */
const RUN_WITHIN_MS = 600_000;
const STOP_WITHIN_MS = 8000;

/** What was due before the start is not caught up on: the jobs look at everything that there is to do. */
export function startScheduler({ tickMs = TICK_MS, ...options }: SchedulerOptions): Scheduler {
  const { clock } = options;
  const running = new Set<Promise<void>>();
  let isOver = false;
  const onFault = (error: unknown): void => {
    // A process that ends cuts the connections of runs that it no longer waits for: that is no fault.
    if (!isOver) options.onFault(error);
  };
  const jobs = options.jobs.map((job) => {
    const cron = new Cron(job.cron, { timezone: 'UTC' });
    return { job, cron, handled: lastDue(cron, clock.now()), ticksToWait: 0, isRunning: false };
  });
  type Watched = (typeof jobs)[number];

  const tick = (): void => {
    for (const watched of jobs) {
      if (watched.isRunning || --watched.ticksToWait > 0) continue;
      const due = lastDue(watched.cron, clock.now());
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
      const claim = await claimed(options, watched.job.name, due);
      if (claim === 'later') {
        watched.ticksToWait = TICKS_UNTIL_ASKED_AGAIN;
        return;
      }
      watched.handled = due;
      if (claim === 'claimed') await runJob({ ...options, onFault }, watched.job, due);
    } catch (error) {
      watched.ticksToWait = TICKS_UNTIL_ASKED_AGAIN;
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

/** When a scheduled job was last done, by any process; null where it never was. */
export async function readLastRun(tx: Tx, name: string): Promise<Date | null> {
  const [job] = await tx.query(selectLastRun, { name });
  return job?.completedAt ?? null;
}

/** The latest due time that is not after now, in milliseconds. */
function lastDue(cron: Cron, now: Date): number {
  // The library looks for times before the given one.
  return cron.previousRuns(1, new Date(now.getTime() + 1))[0]?.getTime() ?? 0;
}

/** `taken`: by another process; `later`: an earlier run goes on. */
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
  throw new Error(`the scheduled job ${name} takes too long`);
}
