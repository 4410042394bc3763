-- Deliveries, the jobs that send them and every attempt that was made.

CREATE SEQUENCE delivery_ref_number AS bigint START 100042 CACHE 50;

CREATE TABLE delivery (
  delivery_id       uuid PRIMARY KEY,
  buyer_key         text NOT NULL,
  lead_id           uuid NOT NULL,
  offer_key         text NOT NULL,
  supplier_key      text NOT NULL,
  ref_number        bigint NOT NULL DEFAULT nextval('delivery_ref_number') UNIQUE,
  event_type        text NOT NULL CONSTRAINT event_type_known CHECK (event_type IN ('Lead Sale', 'Calendar Assigned')),
  -- True while this delivery is an exclusive sale in force; the unique index below then allows no second one.
  is_exclusive      boolean NOT NULL,
  status            text NOT NULL CONSTRAINT delivery_status_known
                    CHECK (status IN ('Pending', 'Confirmed', 'Failed', 'Returned')),
  payout_cents      bigint NOT NULL CHECK (payout_cents >= 0),
  -- The primary channel; null where the partner only reads the API.
  channel           text,
  -- The counters that this delivery took a slot from, so that a failure can give it back.
  cap_windows       jsonb NOT NULL,
  delivered_at      timestamptz NOT NULL,
  confirmed_at      timestamptz,
  failed_at         timestamptz,
  returned_at       timestamptz,
  appointment_at    timestamptz,
  -- Of a failed delivery: the buyer may have the lead all the same, so that nobody else is offered it.
  may_have_arrived  boolean NOT NULL DEFAULT false,
  CHECK ((status = 'Failed') = (failed_at IS NOT NULL)),
  CHECK (status = 'Failed' OR NOT may_have_arrived),
  CHECK ((status IN ('Confirmed', 'Returned')) = (confirmed_at IS NOT NULL)),
  CHECK ((status = 'Returned') = (returned_at IS NOT NULL)),
  CHECK (NOT (is_exclusive AND status = 'Failed'))
) WITH (fillfactor = 80);
-- A lead is sold to one buyer at most once, and exclusively to at most one, whatever any code does.
CREATE UNIQUE INDEX delivery_once_per_buyer ON delivery (lead_id, buyer_key);
CREATE UNIQUE INDEX delivery_exclusive ON delivery (lead_id) WHERE is_exclusive;
CREATE INDEX delivery_of_buyer ON delivery (buyer_key, delivered_at DESC, delivery_id DESC);
-- The rare statuses, by the time that marks them: a list of failures must not walk past a year of successes.
CREATE INDEX delivery_failed ON delivery (buyer_key, delivered_at DESC, delivery_id DESC) WHERE failed_at IS NOT NULL;
CREATE INDEX delivery_returned ON delivery (buyer_key, delivered_at DESC, delivery_id DESC) WHERE returned_at IS NOT NULL;

-- Like lead_count: appended changes whose sum is exact.
CREATE TABLE delivery_count (
  buyer_key     text NOT NULL,
  day           date NOT NULL,
  status        text NOT NULL,
  event_type    text NOT NULL,
  offer_key     text NOT NULL,
  deliveries    bigint NOT NULL,
  payout_cents  bigint NOT NULL
);
CREATE INDEX delivery_count_of_buyer ON delivery_count (buyer_key, day);

-- What a supplier's leads turned out to be worth, by day of delivery; appended like the counts above, read for the score.
CREATE TABLE supplier_quality_count (
  supplier_key  text NOT NULL,
  day           date NOT NULL,
  confirmed     bigint NOT NULL,
  returned      bigint NOT NULL
);
CREATE INDEX supplier_quality_count_of_day ON supplier_quality_count (day, supplier_key);

-- A row per sending that is not finished. A worker that takes one moves due_at to the end of its lease; when the worker dies,
-- the lease ends and another takes it.
CREATE TABLE send_job (
  delivery_id       uuid NOT NULL,
  channel           text NOT NULL,
  buyer_key         text NOT NULL,
  due_at            timestamptz NOT NULL,
  -- Attempts begun so far, and steps of the retry schedule used up by those that ended or were lost.
  attempts          integer NOT NULL DEFAULT 0,
  steps             integer NOT NULL DEFAULT 0,
  -- Attempts after which the buyer may have the lead: counted when an attempt begins, taken back when it certainly failed.
  uncertain         integer NOT NULL DEFAULT 0,
  -- The attempt under way, and the proof that a result belongs to the present lease.
  attempt_id        uuid,
  PRIMARY KEY (delivery_id, channel)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
        autovacuum_vacuum_cost_delay = 0);
CREATE INDEX send_job_of_buyer ON send_job (buyer_key, due_at);

CREATE TABLE attempt (
  attempt_id        uuid PRIMARY KEY,
  -- Null for a test that no delivery stands behind.
  delivery_id       uuid,
  buyer_key         text NOT NULL,
  channel           text NOT NULL,
  target            text NOT NULL,
  attempt           integer NOT NULL,
  state             text NOT NULL CONSTRAINT attempt_state_known
                    CHECK (state IN ('scheduled', 'succeeded', 'failed', 'exhausted')),
  response_code     smallint,
  response_snippet  text,
  latency_ms        integer,
  error             text,
  is_test           boolean NOT NULL,
  at                timestamptz NOT NULL,
  next_attempt_at   timestamptz
) WITH (fillfactor = 80);
CREATE INDEX attempt_of_delivery ON attempt (delivery_id, attempt_id) WHERE delivery_id IS NOT NULL;
CREATE INDEX attempt_of_buyer ON attempt (buyer_key, attempt_id DESC);
