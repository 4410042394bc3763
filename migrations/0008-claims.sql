-- Returns and disputes: what partners claim of their deliveries, how each was decided, and how much of every month's cap is used.

CREATE TABLE claim (
  claim_id            uuid PRIMARY KEY,
  kind                text NOT NULL CONSTRAINT claim_kind_known CHECK (kind IN ('return', 'dispute')),
  buyer_key           text NOT NULL,
  delivery_id         uuid NOT NULL,
  supplier_key        text NOT NULL,
  event_type          text NOT NULL,
  reason              text NOT NULL,
  -- The proof of a return, the detail of a dispute, as the partner wrote it.
  statement           text,
  evidence_url        text,
  status              text NOT NULL CONSTRAINT claim_status_known
                      CHECK (status IN ('submitted', 'under_review', 'approved', 'denied', 'withdrawn')),
  filed_at            timestamptz NOT NULL,
  decision_due_at     timestamptz NOT NULL,
  decided_at          timestamptz,
  decision_note       text,
  decided_by          text,
  credit_cents        bigint,
  credit_transfer_id  uuid UNIQUE REFERENCES transfer,
  -- The first day of the month in which the delivery was made, in the partner's zone when the claim was filed: whose cap it counts to.
  delivery_month      date NOT NULL,
  -- JSON text: what our own data say of the claim, as they were when it was filed. For those who decide, never for the partner.
  evidence            text NOT NULL,
  CONSTRAINT claim_reason_fits CHECK (
    (event_type = 'Lead Sale' AND reason IN ('invalid_phone', 'bounced_email', 'out_of_geo', 'out_of_filter', 'duplicate', 'bot'))
    OR (event_type = 'Calendar Assigned' AND reason IN ('no_show', 'filter_mismatch'))),
  CONSTRAINT claim_return_without_url CHECK (kind = 'dispute' OR evidence_url IS NULL),
  CONSTRAINT claim_decision_whole CHECK (
    (status IN ('approved', 'denied')) = (decided_at IS NOT NULL)
    AND (decided_at IS NULL) = (decision_note IS NULL) AND (decided_at IS NULL) = (decided_by IS NULL)),
  CONSTRAINT claim_credit_approved CHECK (
    (credit_cents IS NULL) = (credit_transfer_id IS NULL) AND (credit_cents IS NULL OR (credit_cents > 0 AND status = 'approved')))
);
-- At most one claim on a delivery is open or approved, and of each kind one that was not withdrawn: a denied return stands in the way
-- of another return and not of a dispute.
CREATE UNIQUE INDEX claim_open ON claim (delivery_id) WHERE status IN ('submitted', 'under_review', 'approved');
CREATE UNIQUE INDEX claim_once_per_kind ON claim (delivery_id, kind) WHERE status <> 'withdrawn';
CREATE INDEX claim_of_delivery ON claim (delivery_id, filed_at DESC, claim_id DESC);
CREATE INDEX claim_of_buyer ON claim (buyer_key, kind, filed_at DESC, claim_id DESC);
CREATE INDEX claim_by_status ON claim (status, filed_at DESC, claim_id DESC);
CREATE INDEX claim_by_time ON claim (filed_at DESC, claim_id DESC);

-- Open and approved returns by partner, kind of delivery and month of delivery. Whoever files one holds the row until the commit, so that
-- no cap is overshot.
CREATE TABLE claim_month_count (
  buyer_key   text NOT NULL,
  event_type  text NOT NULL CONSTRAINT claim_month_event_type_known CHECK (event_type IN ('Lead Sale', 'Calendar Assigned')),
  month       date NOT NULL CHECK (extract(day FROM month) = 1),
  used        bigint NOT NULL CHECK (used >= 0),
  PRIMARY KEY (buyer_key, event_type, month)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
