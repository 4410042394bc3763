-- Warnings to operators while they hold: since when, and who has acknowledged them (contract 12.4; decision 079).
CREATE TABLE warning (
  kind             text NOT NULL,
  -- What it is about, such as the key of a partner; empty for the marketplace.
  subject          text NOT NULL,
  since            timestamptz NOT NULL,
  acknowledged_at  timestamptz,
  acknowledged_by  text,
  PRIMARY KEY (kind, subject),
  CONSTRAINT warning_acknowledgement_whole CHECK ((acknowledged_at IS NULL) = (acknowledged_by IS NULL))
);

-- The pages of suppliers count days of their zones, and read the leads of the hours by which these differ from days of UTC.
-- Short lock: where there are many leads it is built by hand before, with CREATE INDEX CONCURRENTLY, and nothing is left to do here.
CREATE INDEX IF NOT EXISTS lead_by_supplier_and_time ON lead (supplier_key, received_at);
