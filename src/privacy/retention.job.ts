// Runs retention in slices, each in its own transaction, until all expired data is deleted or the time is over (decision 021).
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { repeatTransient } from '../platform/database/retry-transaction.ts';
import { applyRetention } from './apply-retention.ts';
import { type RetentionStep, retentionSteps } from './retention-terms.rules.ts';

export type RetentionRun = {
  readonly database: Database;
  readonly clock: Clock;
  /** The time limit; Infinity for a command that waits for the end. */
  readonly withinMs: number;
  /** Called after every slice. */
  readonly onSlice?: (step: RetentionStep, purged: number) => void;
};

export type RetentionReport = {
  /** Rows that were deleted or emptied, by step. */
  readonly purged: Readonly<Record<RetentionStep, number>>;
  /** False if the time was over: the next run continues. */
  readonly isDone: boolean;
};

/** The time limit of a scheduled run; the next run continues. */
export const RETENTION_WITHIN_MS = 4 * 60_000;

/** Safe to run concurrently. */
export async function runRetention({ database, clock, withinMs, onSlice }: RetentionRun): Promise<RetentionReport> {
  const end = clock.now().getTime() + withinMs;
  const purged = Object.fromEntries(retentionSteps.map((step) => [step, 0])) as Record<RetentionStep, number>;
  for (const step of retentionSteps) {
    for (let from: number | null = 0; from !== null;) {
      const start: number = from;
      const now = clock.now();
      if (now.getTime() >= end) return { purged, isDone: false };
      const slice = await repeatTransient(() => database.tx((tx) => applyRetention(tx, { step, from: start }, now)));
      purged[step] += slice.purged;
      onSlice?.(step, purged[step]);
      from = slice.next;
    }
  }
  return { purged, isDone: true };
}
