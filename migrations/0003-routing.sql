-- What routing decided and what the caps have used.

CREATE TABLE routing_decision (
  lead_id         uuid NOT NULL,
  -- 1 for the first decision on a lead; a held or re-routed lead gets further ones.
  round           smallint NOT NULL,
  decided_at      timestamptz NOT NULL,
  config_version  bigint NOT NULL,
  outcome         text NOT NULL CONSTRAINT decision_outcome_known CHECK (outcome IN ('routed', 'rejected', 'held')),
  trace           text NOT NULL,
  PRIMARY KEY (lead_id, round)
);

-- A row per offer, kind of window and window start; locked by whoever sells under it, so a cap cannot be oversold.
CREATE TABLE cap_counter (
  offer_key    text NOT NULL,
  cap_window   text NOT NULL CONSTRAINT cap_window_known CHECK (cap_window IN ('daily', 'weekly', 'monthly')),
  starts_at    timestamptz NOT NULL,
  used         bigint NOT NULL CHECK (used >= 0),
  used_cents   bigint NOT NULL CHECK (used_cents >= 0),
  PRIMARY KEY (offer_key, cap_window, starts_at)
) WITH (fillfactor = 20, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000,
        autovacuum_vacuum_cost_delay = 0);
