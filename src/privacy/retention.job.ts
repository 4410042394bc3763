// Runs retention slice by slice, each in a transaction of its own, for as long as there is something old or time is left (decision 021).
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { repeatTransient } from '../platform/database/retry-transaction.ts';
import { applyRetention } from './apply-retention.ts';
import { type RetentionStep, retentionSteps } from './retention-terms.rules.ts';

export type RetentionRun = {
  readonly database: Database;
  readonly clock: Clock;
  /** Infinity where somebody waits for the end. */
  readonly withinMs: number;
  /** Told after every slice. */
  readonly onSlice?: (step: RetentionStep, purged: number) => void;
};

export type RetentionReport = {
  /** Rows that were deleted or emptied, by step. */
  readonly purged: Readonly<Record<RetentionStep, number>>;
  /** False where time was over: the next run goes on. */
  readonly isDone: boolean;
};

/** A scheduled job has some minutes; what is left over waits for its next run. */
export const RETENTION_WITHIN_MS = 4 * 60_000;

/** Safe to run beside itself. */
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
