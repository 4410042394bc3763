-- A partner that receives no leads for a while because it says so itself (contract 6.16).
-- Short lock: without a default no row is written.
ALTER TABLE buyer
  ADD COLUMN own_paused_at    timestamptz,
  -- When the pause ends by itself; null if only the partner ends it.
  ADD COLUMN own_paused_until timestamptz;
-- Short lock: no row is read; the columns are new.
ALTER TABLE buyer ADD CONSTRAINT buyer_own_pause
  CHECK (own_paused_until IS NULL OR own_paused_at IS NOT NULL AND own_paused_until > own_paused_at) NOT VALID;
