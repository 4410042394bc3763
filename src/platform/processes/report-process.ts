// Stores every few seconds that this process is alive and what it has counted, so that the console shows the same numbers whichever process
// serves it.
import type { Logger } from 'pino';

import { newUuid } from '../../base/ids.ts';
import { type Clock, systemClock } from '../clock.ts';
import type { Database } from '../database/database.ts';
import { areClocksApart, compareClocks } from './compare-clocks.ts';
import { type CountedMinute, countedNames, type CountedName, type ProcessCounts } from './process-counts.ts';
import { endReports, purgeReports, writeReport } from './process.sql.ts';
import { LOST_AFTER_MS } from './process-row.ts';

export type ProcessReport = {
  /** Processes that serve requests and were alive when this one reported last, with this one. */
  serving(): number;
  /** How far this machine's clock was ahead of the database's when they were last compared; negative where it is behind. */
  clockAheadMs(): number | null;
  /** Reports a proxy on a private address that TRUST_PROXY does not name, for the operator. */
  metUntrustedProxy(address: string): void;
  /** Writes the remaining counts and deletes the process's own row. */
  stop(): Promise<void>;
};

export type ProcessReportOptions = {
  readonly database: Database;
  readonly clock: Clock;
  readonly role: 'all' | 'api' | 'worker';
  readonly counts: ProcessCounts;
  readonly log: Logger;
  readonly onFault: (error: unknown) => void;
  /** For tests: `clock` may stand still, and the machine's own never does. */
  readonly machineClock?: Clock;
};

/** Soon enough for a live view. An idle process skips some writes. */
const WRITE_EVERY_MS = 2000;
const QUIET_WRITES_SKIPPED = 4;
/** At each report of an idle process, and no more often in a busy one. */
const COMPARE_EVERY_MS = 9000;
/** What watches processes deletes those that are lost, once it has noticed; this bounds them where nothing watches. */
const LOST_KEPT_MS = 30 * 24 * 3_600_000;
const MINUTES_KEPT_MS = 3 * 3_600_000;
const PURGE_EVERY_WRITES = 150;
/** An unreachable database must not delay the end of the process. */
const END_WITHIN_MS = 2000;

/** Resolves after the first report is written, so that a started process is always listed. */
export async function startProcessReport(options: ProcessReportOptions): Promise<ProcessReport> {
  const { database, clock, role, counts, log, onFault, machineClock = systemClock } = options;
  const processId = newUuid();
  const startedAt = clock.now();
  let skipped = 0;
  let written = 0;
  let writing: Promise<void> = Promise.resolve();
  let comparedAt: number | null = null;
  let clockAheadMs: number | null = null;
  let untrustedProxy: string | null = null;
  let others = 0;

  const compare = async (): Promise<void> => {
    const wereApart = clockAheadMs !== null && areClocksApart(clockAheadMs);
    clockAheadMs = await compareClocks(database, machineClock);
    comparedAt = performance.now();
    // Logged once per change, because it lasts until the clock is corrected.
    if (areClocksApart(clockAheadMs) === wereApart) return;
    if (wereApart) log.info({ clockAheadMs }, "this machine's clock is right again");
    else log.warn({ clockAheadMs }, "this machine's clock is not the database's: synchronise both (NTP)");
  };

  const write = async (): Promise<void> => {
    const now = clock.now();
    const minutes = counts.take();
    if (minutes.length === 0 && written > 0 && skipped < QUIET_WRITES_SKIPPED) {
      skipped += 1;
      return;
    }
    skipped = 0;
    try {
      if (comparedAt === null || performance.now() - comparedAt > COMPARE_EVERY_MS) await compare();
      const [row] = await database.query(writeReport, {
        processId,
        role,
        startedAt,
        now,
        clockAheadMs,
        untrustedProxy,
        aliveSince: new Date(now.getTime() - (clockAheadMs ?? 0) - LOST_AFTER_MS),
        minutes: minutes.map(({ minute }) => minute),
        ...countsByName(minutes),
      });
      others = row?.others ?? 0;
      if (written % PURGE_EVERY_WRITES === 0) {
        const before = (ms: number): Date => new Date(now.getTime() - ms);
        await database.query(purgeReports, { seenAt: before(LOST_KEPT_MS), minute: before(MINUTES_KEPT_MS) });
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
    serving: () => others + 1,
    clockAheadMs: () => clockAheadMs,
    metUntrustedProxy(address) {
      untrustedProxy = address;
    },
    async stop() {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      const last = async (): Promise<void> => {
        await writing;
        await write();
        await database.query(endReports, { processIds: [processId] });
      };
      await within(END_WITHIN_MS, last()).catch(onFault);
    },
  };
}

/** The counts of each name in the order of the minutes. */
function countsByName(minutes: readonly CountedMinute[]): Readonly<Record<CountedName, readonly number[]>> {
  return Object.fromEntries(countedNames.map((name) => [name, minutes.map(({ counts }) => counts[name])])) as Record<
    CountedName,
    number[]
  >;
}

/** Waits for `work` at most `ms`; does not cancel it. */
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
