// The scheduled job that folds changes into the roll-ups of reports (contract 12.1, decision 061).
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/database.ts';
import { foldSome } from './fold-reports.ts';

/**
 * Folds until nothing is left, or `withinMs` are over. Does nothing while another process folds. A process that dies loses its transaction
 * at most, whose changes are then still in the log.
 */
export async function foldReports({
  database,
  clock,
  withinMs,
}: {
  readonly database: Database;
  readonly clock: Clock;
  readonly withinMs: number;
}): Promise<void> {
  const until = clock.now().getTime() + withinMs;
  while (clock.now().getTime() <= until) {
    if (!(await database.tx((tx) => foldSome(tx, clock.now()), { patient: true }))) return;
  }
}
