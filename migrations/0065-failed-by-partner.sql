-- For the operator's list of the failed deliveries of one partner, by the time of failure. Only failures are in it.
-- Short lock: where there are many deliveries it is built by hand before, with CREATE INDEX CONCURRENTLY, and nothing is left to do here.
CREATE INDEX IF NOT EXISTS delivery_failed_of_buyer ON delivery (buyer_key, failed_at DESC, delivery_id DESC) WHERE failed_at IS NOT NULL;
