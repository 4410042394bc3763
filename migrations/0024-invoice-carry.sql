-- What of a partner's credits exceeds the charges of an invoice is carried to the next one: no total is below 0 any more.

ALTER TABLE invoice
  -- What earlier invoices carried to this one, and what this one carries to a later one.
  ADD COLUMN carried_in_cents bigint NOT NULL DEFAULT 0 CONSTRAINT invoice_carried_in_positive CHECK (carried_in_cents >= 0),
  ADD COLUMN carried_out_cents bigint NOT NULL DEFAULT 0 CONSTRAINT invoice_carried_out_positive CHECK (carried_out_cents >= 0),
  -- The invoice that took it; null while none has.
  ADD COLUMN carried_to uuid CONSTRAINT invoice_carried_to_known REFERENCES invoice;

-- Wider than before: rows of the previous release, whose totals may be below 0, still meet it.
ALTER TABLE invoice DROP CONSTRAINT invoice_total_right;
ALTER TABLE invoice ADD CONSTRAINT invoice_total_right
  CHECK (total_cents = subtotal_cents - credits_cents - carried_in_cents + carried_out_cents);
ALTER TABLE invoice ADD CONSTRAINT invoice_carried_out_rest CHECK (carried_out_cents = 0 OR total_cents = 0);
CREATE INDEX invoice_to_be_carried ON invoice (buyer_key) WHERE carried_out_cents > 0;

CREATE OR REPLACE FUNCTION keep_issued_invoice() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.status = 'draft' THEN RETURN NEW; END IF;
  IF OLD.status = 'void' OR NEW.status = 'draft'
    OR (OLD.invoice_id, OLD.buyer_key, OLD.period, OLD.time_zone, OLD.starts_at, OLD.ends_at, OLD.seller_name, OLD.buyer_name,
        OLD.currency, OLD.number, OLD.subtotal_cents, OLD.credits_cents, OLD.carried_in_cents, OLD.carried_out_cents, OLD.total_cents,
        OLD.created_at, OLD.issued_at, OLD.due_at)
      IS DISTINCT FROM
       (NEW.invoice_id, NEW.buyer_key, NEW.period, NEW.time_zone, NEW.starts_at, NEW.ends_at, NEW.seller_name, NEW.buyer_name,
        NEW.currency, NEW.number, NEW.subtotal_cents, NEW.credits_cents, NEW.carried_in_cents, NEW.carried_out_cents, NEW.total_cents,
        NEW.created_at, NEW.issued_at, NEW.due_at)
  THEN
    RAISE EXCEPTION 'an issued invoice is append-only' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END $$;
