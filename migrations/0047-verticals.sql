-- Verticals: kinds of leads with fields of their own (contract 7.6). A lead stores the values of its own fields itself, with their types and
-- labels, so no row refers to a vertical.
CREATE TABLE vertical (
  vertical_key text PRIMARY KEY CONSTRAINT vertical_key_form CHECK (vertical_key ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
  definition   jsonb NOT NULL,
  created_at   timestamptz NOT NULL,
  updated_at   timestamptz NOT NULL
);
ALTER TABLE vertical ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY service_only ON vertical USING ((SELECT is_service()));

-- The vertical of a supplier's leads that name none, and those that its leads may name. The last release does not write them.
ALTER TABLE supplier ADD COLUMN vertical text;
ALTER TABLE supplier ADD COLUMN verticals text[] NOT NULL DEFAULT '{}';

-- Short lock: no row is read; every kind that was allowed still is.
ALTER TABLE config_history DROP CONSTRAINT history_kind_known,
  ADD CONSTRAINT history_kind_known CHECK (kind IN ('marketplace', 'vertical', 'supplier', 'buyer', 'offer')) NOT VALID;
