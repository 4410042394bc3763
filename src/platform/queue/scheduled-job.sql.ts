// The SQL of scheduled jobs.
import { statement } from '../database/database.ts';

/**
 * Takes the run of job $1 for its due time $2 until $4; now is $3. Not where the run is taken, nor while an earlier run goes on. A due
 * time after $5 or a lease after $6 was written by a clock that was wrong, and counts for nothing.
 */
export const claimRun = statement(
  'queue.claim_run',
  `WITH claimed AS (
     INSERT INTO scheduled_job AS s (name, due_at, leased_until) VALUES ($1, $2, $4)
     ON CONFLICT (name) DO UPDATE SET due_at = $2, leased_until = $4
     WHERE (s.due_at < $2 OR s.due_at > $5) AND (s.leased_until IS NULL OR s.leased_until <= $3 OR s.leased_until > $6)
     RETURNING name
   )
   SELECT EXISTS (SELECT FROM claimed) AS "isClaimed",
          EXISTS (SELECT FROM scheduled_job WHERE name = $1 AND due_at BETWEEN $2 AND $5) AS "isTaken"`,
);

export const extendRun = statement(
  'queue.extend_run',
  `UPDATE scheduled_job SET leased_until = $3 WHERE name = $1 AND due_at = $2`,
);

/** $3: when it was done; null where it failed. */
export const endRun = statement(
  'queue.end_run',
  `UPDATE scheduled_job SET leased_until = NULL, completed_at = coalesce($3, completed_at) WHERE name = $1 AND due_at = $2`,
);

export const selectLastRun = statement(
  'queue.last_run',
  `SELECT completed_at AS "completedAt" FROM scheduled_job WHERE name = $1`,
);
