-- The position in the log after the last change that an owner made, so that its reads use a replica only once it has replayed that far
-- (decision 055). A row per partner and supplier, and one for all operators; written only where a replica is configured.
CREATE TABLE own_change (
  owner text PRIMARY KEY,
  position pg_lsn NOT NULL
);
