// The SQL of scheduled jobs.
import { statement } from '../database/database.ts';

/**
 * Claims the run of a job for its due time, unless that run is claimed or an earlier one is still running. A due time after $latestDueAt
 * or a lease after $latestLease was written by a wrong clock and is ignored.
 */
export const claimRun = statement<
  {
    readonly name: string;
    readonly dueAt: Date;
    readonly leasedUntil: Date;
    readonly latestDueAt: Date;
    readonly now: Date;
    readonly latestLease: Date;
  },
  { isClaimed: boolean; isTaken: boolean }
>(
  'queue.claim_run',
  `WITH claimed AS (
     INSERT INTO scheduled_job AS s (name, due_at, leased_until) VALUES ($name, $dueAt, $leasedUntil)
     ON CONFLICT (name) DO UPDATE SET due_at = $dueAt, leased_until = $leasedUntil
     WHERE (s.due_at < $dueAt OR s.due_at > $latestDueAt) AND (s.leased_until IS NULL OR s.leased_until <= $now OR s.leased_until > $latestLease)
     RETURNING name
   )
   SELECT EXISTS (SELECT FROM claimed) AS "isClaimed",
          EXISTS (SELECT FROM scheduled_job WHERE name = $name AND due_at BETWEEN $dueAt AND $latestDueAt) AS "isTaken"`,
);

export const extendRun = statement<{ readonly leasedUntil: Date; readonly name: string; readonly dueAt: Date }>(
  'queue.extend_run',
  `UPDATE scheduled_job SET leased_until = $leasedUntil WHERE name = $name AND due_at = $dueAt`,
);

/** $completedAt is null when the run failed. */
export const endRun = statement<{ readonly completedAt: Date | null; readonly name: string; readonly dueAt: Date }>(
  'queue.end_run',
  `UPDATE scheduled_job SET leased_until = NULL, completed_at = coalesce($completedAt, completed_at) WHERE name = $name AND due_at = $dueAt`,
);

export const selectLastRun = statement<{ readonly name: string }, { completedAt: Date | null }>(
  'queue.last_run',
  `SELECT completed_at AS "completedAt" FROM scheduled_job WHERE name = $name`,
);
