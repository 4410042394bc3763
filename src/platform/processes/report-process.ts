// Tells the other processes that this one lives and what it has counted: a few small rows in the database every few seconds, so that the
// console shows the same numbers whichever process it asks.
import { newUuid } from '../../base/ids.ts';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/database.ts';
import { countedNames, type ProcessCounts } from './process-counts.ts';
import { endReport, forgetReports, writeReport } from './process.sql.ts';

export type ProcessReport = {
  /** Writes what is left and takes the process's own row away. */
  stop(): Promise<void>;
};

export type ProcessReportOptions = {
  readonly database: Database;
  readonly clock: Clock;
  readonly role: 'all' | 'api' | 'worker';
  readonly counts: ProcessCounts;
  readonly onFault: (error: unknown) => void;
};

/** Soon enough for somebody who watches; a process that does nothing only says now and then that it lives. */
const WRITE_EVERY_MS = 2000;
const QUIET_WRITES_SKIPPED = 4;
/** A process not seen for so long is shown as lost (read-processes.ts) and at last forgotten. */
const LOST_KEPT_MS = 3_600_000;
const MINUTES_KEPT_MS = 3 * 3_600_000;
const FORGET_EVERY_WRITES = 150;
/** A database that is away holds nobody up who wants to end. */
const END_WITHIN_MS = 2000;

/** The first report is written before it resolves: who waits for a process to start then finds it. */
export async function startProcessReport(options: ProcessReportOptions): Promise<ProcessReport> {
  const { database, clock, role, counts, onFault } = options;
  const processId = newUuid();
  const startedAt = clock.now();
  let skipped = 0;
  let written = 0;
  let writing: Promise<void> = Promise.resolve();

  const write = async (): Promise<void> => {
    const now = clock.now();
    const minutes = counts.take();
    if (minutes.length === 0 && written > 0 && skipped < QUIET_WRITES_SKIPPED) {
      skipped += 1;
      return;
    }
    skipped = 0;
    try {
      await database.query(writeReport, [
        processId,
        role,
        startedAt,
        now,
        minutes.map(({ minute }) => minute),
        ...countedNames.map((name) => minutes.map((minute) => minute.counts[name])),
      ]);
      if (written % FORGET_EVERY_WRITES === 0) {
        const before = (ms: number): Date => new Date(now.getTime() - ms);
        await database.query(forgetReports, [before(LOST_KEPT_MS), before(MINUTES_KEPT_MS)]);
      }
      written += 1;
    } catch (error) {
      counts.giveBack(minutes);
      onFault(error);
    }
  };

  await write();
  let timer: NodeJS.Timeout | null = null;
  const next = (): void => {
    timer = setTimeout(() => {
      writing = write().finally(() => {
        if (timer !== null) next();
      });
    }, WRITE_EVERY_MS);
    timer.unref();
  };
  next();

  return {
    async stop() {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      const last = async (): Promise<void> => {
        await writing;
        await write();
        await database.query(endReport, [processId]);
      };
      await within(END_WITHIN_MS, last()).catch(onFault);
    },
  };
}

/** What comes later is left to itself. */
async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
