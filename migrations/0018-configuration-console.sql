-- What the console's pages of configuration read, and the simulations that are started there.

-- What was changed since a form was opened.
CREATE INDEX config_history_by_version ON config_history (version);

-- A replay of the past against a changed configuration. One process works on it; every process is asked about it.
CREATE TABLE simulation (
  simulation_id     uuid PRIMARY KEY,
  operator_name     text NOT NULL,
  -- What was to be tried: JSON text of a part of the marketplace file, or the text of a whole one.
  input             jsonb NOT NULL,
  days              smallint NOT NULL CHECK (days BETWEEN 1 AND 90),
  state             text NOT NULL
                    CONSTRAINT simulation_state_known CHECK (state IN ('running', 'done', 'refused', 'cancelled', 'failed')),
  decisions_done    bigint NOT NULL DEFAULT 0,
  -- Null until they have been counted.
  decisions         bigint,
  -- What it came to, where it is done; the faults of the input, where it is refused.
  result            jsonb,
  created_at        timestamptz NOT NULL,
  -- When the process that works on it was last heard of: one that is silent has died.
  heard_at          timestamptz NOT NULL,
  finished_at       timestamptz,
  CHECK ((state = 'running') = (finished_at IS NULL))
);
-- One at a time, however many processes there are: each one reads as much of the past as the database can give.
CREATE UNIQUE INDEX simulation_under_way ON simulation ((true)) WHERE state = 'running';
CREATE INDEX simulation_by_age ON simulation (created_at);

-- The role of the second wall has no right to this table, and none is given.
