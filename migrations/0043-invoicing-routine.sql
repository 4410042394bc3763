-- Invoicing as a routine: terms of partners, tax, monthly runs, reminders, receipts, and offers that pause below a balance (decision 064).

-- The members of `marketplace.billing` and of a partner's `billing` beside mode and credit limit; left out is the default.
ALTER TABLE marketplace ADD COLUMN billing jsonb NOT NULL DEFAULT '{}';
ALTER TABLE buyer
  ADD COLUMN billing_terms jsonb NOT NULL DEFAULT '{}',
  -- Since when its offers are paused because the available funds are below `pauseBelow`; null while they are not.
  ADD COLUMN funds_paused_at timestamptz;

ALTER TABLE invoice
  -- Hundredths of a percent, and the tax on what is left of the charges after credits and what earlier invoices carried.
  ADD COLUMN tax_basis_points integer NOT NULL DEFAULT 0 CONSTRAINT invoice_tax_rate_known CHECK (tax_basis_points BETWEEN 0 AND 10000),
  ADD COLUMN tax_cents bigint NOT NULL DEFAULT 0 CONSTRAINT invoice_tax_positive CHECK (tax_cents >= 0),
  -- Address and tax id of both sides at issue: `{"address": ["…"], "taxId": "…"}`.
  ADD COLUMN seller_details jsonb NOT NULL DEFAULT '{}',
  ADD COLUMN buyer_details jsonb NOT NULL DEFAULT '{}',
  -- The last reminder that went out, in days after the due date.
  ADD COLUMN reminded_days integer NOT NULL DEFAULT 0 CHECK (reminded_days >= 0);
-- What was overdue before there were reminders is not reminded.
-- Short lock: one row per overdue invoice.
UPDATE invoice SET reminded_days = 100000 WHERE status = 'overdue';

-- Wider than before: invoices of the previous release have no tax.
ALTER TABLE invoice DROP CONSTRAINT invoice_total_right;
ALTER TABLE invoice ADD CONSTRAINT invoice_total_right
  CHECK (total_cents = subtotal_cents - credits_cents - carried_in_cents + carried_out_cents + tax_cents) NOT VALID;
-- Short lock: a row per partner and month.
CREATE INDEX invoice_overdue ON invoice (due_at) WHERE status = 'overdue';

CREATE OR REPLACE FUNCTION keep_issued_invoice() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.status = 'draft' THEN RETURN NEW; END IF;
  IF OLD.status = 'void' OR NEW.status = 'draft'
    OR (OLD.invoice_id, OLD.buyer_key, OLD.period, OLD.time_zone, OLD.starts_at, OLD.ends_at, OLD.seller_name, OLD.buyer_name,
        OLD.currency, OLD.number, OLD.subtotal_cents, OLD.credits_cents, OLD.carried_in_cents, OLD.carried_out_cents, OLD.total_cents,
        OLD.tax_basis_points, OLD.tax_cents, OLD.seller_details, OLD.buyer_details, OLD.created_at, OLD.issued_at, OLD.due_at)
      IS DISTINCT FROM
       (NEW.invoice_id, NEW.buyer_key, NEW.period, NEW.time_zone, NEW.starts_at, NEW.ends_at, NEW.seller_name, NEW.buyer_name,
        NEW.currency, NEW.number, NEW.subtotal_cents, NEW.credits_cents, NEW.carried_in_cents, NEW.carried_out_cents, NEW.total_cents,
        NEW.tax_basis_points, NEW.tax_cents, NEW.seller_details, NEW.buyer_details, NEW.created_at, NEW.issued_at, NEW.due_at)
  THEN
    RAISE EXCEPTION 'an issued invoice is append-only' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END $$;

-- The payments and adjustments of the partner at which its open invoices were last paid from the balance, by the versions of the accounts.
ALTER TABLE invoice_progress ADD COLUMN settled_money bigint NOT NULL DEFAULT 0;

-- The monthly runs that happen by themselves, which partners' requests have no right to: from which month on, null while they are switched off.
CREATE TABLE billing_routine (
  kind          text PRIMARY KEY CONSTRAINT billing_routine_kind_known CHECK (kind IN ('invoices', 'statements')),
  covered_from  date CHECK (extract(day FROM covered_from) = 1)
);
CREATE TABLE billing_run (
  kind          text NOT NULL REFERENCES billing_routine,
  period        date NOT NULL CHECK (extract(day FROM period) = 1),
  started_at    timestamptz NOT NULL,
  -- When the last partner or supplier was done.
  completed_at  timestamptz,
  PRIMARY KEY (kind, period)
);
-- The outcome for one partner or supplier, written in the transaction that issues.
CREATE TABLE billing_run_item (
  kind       text NOT NULL,
  period     date NOT NULL,
  owner_key  text NOT NULL,
  outcome    text NOT NULL CONSTRAINT billing_run_outcome_known CHECK (outcome IN ('issued', 'exists', 'none', 'failed')),
  -- The number of the invoice or statement.
  number     text,
  error      text,
  at         timestamptz NOT NULL,
  PRIMARY KEY (kind, period, owner_key),
  FOREIGN KEY (kind, period) REFERENCES billing_run,
  CHECK ((outcome = 'failed') = (error IS NOT NULL))
);

-- Receipts of prepaid partners: one for each payment, numbered without gaps in the year of issue.
CREATE TABLE receipt_counter (
  year         integer PRIMARY KEY,
  last_number  bigint NOT NULL CHECK (last_number > 0)
);
-- How far the payments of a partner are looked at, by the version of its account `cash`.
CREATE TABLE receipt_progress (
  buyer_key     text PRIMARY KEY,
  cash_version  bigint NOT NULL CHECK (cash_version >= 0)
);
INSERT INTO receipt_progress SELECT buyer_key, version FROM account WHERE kind = 'cash' AND version > 0;
CREATE TABLE receipt (
  receipt_id      uuid PRIMARY KEY,
  buyer_key       text NOT NULL,
  number          text NOT NULL UNIQUE CHECK (number ~ '^RCP-\d{4}-\d{6,}$'),
  -- A payment has one receipt at most.
  transfer_id     uuid NOT NULL UNIQUE,
  amount_cents    bigint NOT NULL CHECK (amount_cents > 0),
  description     text NOT NULL,
  paid_at         timestamptz NOT NULL,
  time_zone       text NOT NULL,
  currency        text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  seller_name     text NOT NULL,
  seller_details  jsonb NOT NULL,
  buyer_name      text NOT NULL,
  buyer_details   jsonb NOT NULL,
  issued_at       timestamptz NOT NULL
);
CREATE INDEX receipt_of_buyer ON receipt (buyer_key, issued_at DESC, receipt_id DESC);
-- Short lock: the table is new.
CREATE TRIGGER receipt_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON receipt
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
ALTER TABLE receipt ENABLE ROW LEVEL SECURITY;
ALTER TABLE receipt FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON receipt USING ((SELECT is_service()) OR (buyer_key = (SELECT tenant())));
ALTER TABLE receipt_progress ENABLE ROW LEVEL SECURITY;
ALTER TABLE receipt_progress FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON receipt_progress USING ((SELECT is_service()) OR (buyer_key = (SELECT tenant())));

-- Short lock: no row is read; every kind that was allowed still is.
ALTER TABLE notice DROP CONSTRAINT notice_attachment_known,
  ADD CONSTRAINT notice_attachment_known CHECK (attachment_kind IN ('invoice', 'statement', 'receipt')) NOT VALID;

-- As before, with receipts.
CREATE OR REPLACE FUNCTION grant_buyer_rights() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'leadmarket_buyer') THEN RETURN; END IF;
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO leadmarket_buyer', current_schema());
  EXECUTE format('REVOKE ALL ON ALL TABLES IN SCHEMA %I FROM leadmarket_buyer', current_schema());
  GRANT SELECT ON account, attempt, audit_event, buyer, buyer_event, buyer_event_head, cap_counter, claim, claim_month_count,
    config_history, delivery, delivery_count, delivery_search, endpoint_health, endpoint_outage, entry, idempotency_key, invoice, invoice_item,
    invoice_line, marketplace, notice, notice_channel, notice_send, notice_setting, offer, person_sale, receipt, send_job, signing_secret, transfer
    TO leadmarket_buyer;
  GRANT SELECT (credential_id, kind, owner_key) ON credential TO leadmarket_buyer;
  -- All but the body as received.
  GRANT SELECT (lead_id, supplier_key, external_id, is_test, is_accepted, state, public_status, reason, score, score_factors,
    received_at, decided_at, fields, erased_at) ON lead TO leadmarket_buyer;
  -- Reports without costs, and without where leads came from.
  GRANT SELECT ON report_progress TO leadmarket_buyer;
  GRANT SELECT (batch, at, partner, offer, event_type, state, price_band, deliveries, kept, returned, settled, failed, price_cents, revenue_cents,
    s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15) ON report_fact TO leadmarket_buyer;
  GRANT SELECT (rollup, level, slot, partner, offer, event_type, state, price_band, deliveries, kept, returned, settled, failed, price_cents,
    revenue_cents, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15) ON report_cell TO leadmarket_buyer;
  -- Claims and what they need; the right on one column of a delivery is what locking it asks for.
  GRANT INSERT, UPDATE ON claim, claim_month_count, idempotency_key TO leadmarket_buyer;
  GRANT UPDATE (may_have_arrived) ON delivery TO leadmarket_buyer;
  -- Sending again, and tests of an endpoint.
  GRANT INSERT, UPDATE ON send_job, attempt TO leadmarket_buyer;
  -- The partner's own settings. The ledger and the audit trail it may read and add to, never change.
  GRANT INSERT, UPDATE ON buyer, notice_setting TO leadmarket_buyer;
  GRANT UPDATE (config_version) ON marketplace TO leadmarket_buyer;
  GRANT INSERT, UPDATE ON config_history TO leadmarket_buyer;
  GRANT INSERT ON audit_event TO leadmarket_buyer;
  GRANT INSERT, UPDATE ON signing_secret TO leadmarket_buyer;
  GRANT DELETE ON endpoint_health TO leadmarket_buyer;
  GRANT UPDATE ON endpoint_outage TO leadmarket_buyer;
END $$;

SELECT grant_buyer_rights();
