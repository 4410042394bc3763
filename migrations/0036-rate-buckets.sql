-- The token buckets that all API processes share, while more than one runs. Not logged: after a crash or a failover all buckets are full, and
-- commits neither wait for a disk nor for a standby.
CREATE UNLOGGED TABLE rate_bucket (
  -- The credential, or the limit and its owner.
  bucket text PRIMARY KEY,
  -- When the bucket will be full, in milliseconds since 1970. Tokens of fast limits are worth less than a microsecond.
  full_at_ms double precision NOT NULL
  -- Room for new versions of a row beside it: each bucket in use is updated several times a second.
) WITH (fillfactor = 50);
