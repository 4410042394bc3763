-- The type of the message that an attempt was about, such as return.reviewed. Null for the delivery of a lead, for tests, and for attempts
-- of earlier releases.
ALTER TABLE attempt ADD COLUMN message_type text;

-- For the operator's log of messages: attempts that were not taken are few among many.
-- Short lock: where there are many attempts it is built by hand before, with CREATE INDEX CONCURRENTLY, and nothing is left to do here.
CREATE INDEX IF NOT EXISTS attempt_not_taken ON attempt (attempt_id DESC) WHERE state IN ('failed', 'exhausted');

-- A replay sends the deliveries of one partner and one window of time again, in slices (decision 087).
CREATE TABLE replay (
  replay_id     uuid PRIMARY KEY,
  buyer_key     text NOT NULL,
  operator_name text NOT NULL,
  -- The status of the deliveries that are sent again.
  status        text NOT NULL CONSTRAINT replay_status_known CHECK (status IN ('Failed', 'Confirmed')),
  -- from ≤ delivered ≤ until.
  from_at       timestamptz NOT NULL,
  until_at      timestamptz NOT NULL,
  -- Deliveries in the window when it was started.
  planned       integer NOT NULL,
  state         text NOT NULL DEFAULT 'running' CONSTRAINT replay_state_known CHECK (state IN ('running', 'done', 'stopped')),
  -- The last delivery that was handled; null before the first.
  after_at      timestamptz,
  after_id      uuid,
  queued        integer NOT NULL DEFAULT 0,
  -- Deliveries that were not sent again, by reason.
  skipped       jsonb NOT NULL DEFAULT '{}',
  created_at    timestamptz NOT NULL,
  finished_at   timestamptz,
  CONSTRAINT replay_position_whole CHECK ((after_at IS NULL) = (after_id IS NULL)),
  CONSTRAINT replay_finished CHECK ((state = 'running') = (finished_at IS NULL))
);
CREATE UNIQUE INDEX replay_running ON replay (buyer_key) WHERE state = 'running';
CREATE INDEX replay_by_time ON replay (created_at DESC, replay_id DESC);

-- Each delivery at most once per replay, with what became of it.
CREATE TABLE replay_delivery (
  replay_id   uuid NOT NULL REFERENCES replay ON DELETE CASCADE,
  delivery_id uuid NOT NULL,
  result      text NOT NULL,
  PRIMARY KEY (replay_id, delivery_id)
);

-- Short lock: both tables are new. Only operators replay.
ALTER TABLE replay ENABLE ROW LEVEL SECURITY;
ALTER TABLE replay FORCE ROW LEVEL SECURITY;
CREATE POLICY service_only ON replay USING ((SELECT is_service()));
ALTER TABLE replay_delivery ENABLE ROW LEVEL SECURITY;
ALTER TABLE replay_delivery FORCE ROW LEVEL SECURITY;
CREATE POLICY service_only ON replay_delivery USING ((SELECT is_service()));
