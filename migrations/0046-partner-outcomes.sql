-- What a partner's system says about a delivery in its response: it is not wanted or is a duplicate, its own reference, and its price (decision 067).
ALTER TABLE delivery
  -- The partner's own id of the lead; erased with the person.
  ADD COLUMN buyer_reference text,
  -- The prices that the partner may name, as they were at the sale: null where the price is fixed. The upper one was reserved, and is what the
  -- message of the delivery says; `payout_cents` becomes the price in the response.
  ADD COLUMN price_min_cents bigint,
  ADD COLUMN price_max_cents bigint,
  -- Why it failed, if the partner's system rejected it.
  ADD COLUMN failure text;
ALTER TABLE delivery ADD CONSTRAINT delivery_failure_known CHECK (failure IN ('rejected', 'duplicate')) NOT VALID;
ALTER TABLE delivery ADD CONSTRAINT delivery_price_bounded CHECK (
  (price_min_cents IS NULL) = (price_max_cents IS NULL)
  AND (price_min_cents IS NULL OR (0 < price_min_cents AND payout_cents BETWEEN price_min_cents AND price_max_cents))) NOT VALID;

-- Finds deliveries by the partner's reference: a table of its own, because an index on deliveries would have to be built under a lock.
CREATE TABLE delivery_reference (
  buyer_reference text COLLATE "C" NOT NULL,
  delivery_id     uuid NOT NULL,
  PRIMARY KEY (buyer_reference, delivery_id)
);
CREATE INDEX delivery_reference_of_delivery ON delivery_reference (delivery_id);
ALTER TABLE delivery_reference ENABLE ROW LEVEL SECURITY;
ALTER TABLE delivery_reference FORCE ROW LEVEL SECURITY;
CREATE POLICY service_only ON delivery_reference USING ((SELECT is_service()));

-- Reports count rejections and duplicates by the time of the response.
ALTER TABLE report_change ADD COLUMN was_failure text, ADD COLUMN failure text;
ALTER TABLE report_fact ADD COLUMN rejected integer, ADD COLUMN duplicates integer;
ALTER TABLE report_cell ADD COLUMN rejected bigint, ADD COLUMN duplicates bigint;

CREATE OR REPLACE FUNCTION note_new_deliveries() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO report_change (kind, id, status, status_at, failure)
  SELECT 'delivery', delivery_id, status, coalesce(failed_at, confirmed_at), CASE WHEN status = 'Failed' THEN failure END FROM added;
  RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION note_changed_deliveries() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO report_change (kind, id, was, was_at, status, status_at, was_failure, failure)
  SELECT 'delivery', n.delivery_id, o.status, coalesce(o.failed_at, o.confirmed_at), n.status, coalesce(n.failed_at, n.confirmed_at),
         CASE WHEN o.status = 'Failed' THEN o.failure END, CASE WHEN n.status = 'Failed' THEN n.failure END
  FROM changed n JOIN previous o USING (delivery_id)
  WHERE n.status <> o.status OR coalesce(n.failed_at, n.confirmed_at) IS DISTINCT FROM coalesce(o.failed_at, o.confirmed_at);
  RETURN NULL;
END $$;
