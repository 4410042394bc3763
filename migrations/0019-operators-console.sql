-- What the operator's console reads: what each process counts, and failures in the order of their time.

-- The processes that serve or work. Each rewrites its own row every few seconds and takes it away when it ends, so that one that stands
-- still here has died.
CREATE TABLE process_report (
  process_id  uuid PRIMARY KEY,
  role        text NOT NULL CONSTRAINT process_role_known CHECK (role IN ('all', 'api', 'worker')),
  started_at  timestamptz NOT NULL,
  seen_at     timestamptz NOT NULL
) WITH (fillfactor = 20, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- What a process counted in a minute, some hours of them. Rewritten until the minute is over; roll-ups for a screen, and never the truth
-- about anything: what a process that was killed had not yet written is missing.
CREATE TABLE process_minute (
  minute         timestamptz NOT NULL,
  process_id     uuid NOT NULL,
  -- Submissions.
  accepted       bigint NOT NULL,
  refused        bigint NOT NULL,
  conflicts      bigint NOT NULL,
  -- Answers of the partner API, and of these those with a status of 500 and above; the same of portal and console.
  api_answers    bigint NOT NULL,
  api_faults     bigint NOT NULL,
  page_answers   bigint NOT NULL,
  page_faults    bigint NOT NULL,
  -- Deliveries.
  confirmed      bigint NOT NULL,
  retried        bigint NOT NULL,
  failed         bigint NOT NULL,
  PRIMARY KEY (minute, process_id)
) WITH (fillfactor = 20, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- The dead letters, and what could not be delivered to anybody, newest first.
CREATE INDEX dead_job_by_time ON dead_job (failed_at DESC, job_id DESC);
CREATE INDEX delivery_failed_by_time ON delivery (failed_at DESC, delivery_id DESC) WHERE failed_at IS NOT NULL;
