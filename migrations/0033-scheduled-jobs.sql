-- The scheduled jobs: which time of its cron line each was last run for, and when it was last done. A row per job.
CREATE TABLE scheduled_job (
  name text PRIMARY KEY,
  due_at timestamptz NOT NULL,
  -- Null while no process runs it.
  leased_until timestamptz,
  -- Null until it has succeeded once.
  completed_at timestamptz
);
