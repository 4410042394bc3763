-- Notices: what partners, suppliers and operators are told about, each once per occurrence, and its way through each channel (contract 12.3).

-- A fact and one recipient. Written in the transaction of the fact; the unique key is what makes a repetition change nothing.
CREATE TABLE notice (
  notice_id        uuid PRIMARY KEY,
  kind             text NOT NULL,
  recipient_kind   text NOT NULL CONSTRAINT notice_recipient_known CHECK (recipient_kind IN ('operator', 'buyer', 'supplier')),
  -- Empty for the operators, who are one recipient.
  recipient_key    text NOT NULL,
  occurrence       text NOT NULL,
  data             jsonb NOT NULL,
  attachment_kind  text CONSTRAINT notice_attachment_known CHECK (attachment_kind IN ('invoice', 'statement')),
  attachment_id    uuid,
  raised_at        timestamptz NOT NULL,
  -- `raised`: its channels are not chosen yet; `planned`: they are; `off`: its recipient has switched the kind off; `no_channel`: it has none.
  state            text NOT NULL DEFAULT 'raised'
    CONSTRAINT notice_state_known CHECK (state IN ('raised', 'planned', 'off', 'no_channel')),
  CONSTRAINT notice_once UNIQUE (recipient_kind, recipient_key, occurrence),
  CONSTRAINT notice_attachment_whole CHECK ((attachment_kind IS NULL) = (attachment_id IS NULL)),
  CONSTRAINT notice_operators_are_one CHECK ((recipient_kind = 'operator') = (recipient_key = ''))
);
CREATE INDEX notice_to_plan ON notice (notice_id) WHERE state = 'raised';
CREATE INDEX notice_of_recipient ON notice (recipient_kind, recipient_key, notice_id);

-- One message through one channel: of one notice, or of all notices of a day (a digest). The queue of the sender, and the log.
CREATE TABLE notice_send (
  send_id         uuid PRIMARY KEY,
  recipient_kind  text NOT NULL,
  recipient_key   text NOT NULL,
  channel         text NOT NULL CONSTRAINT notice_channel_known CHECK (channel IN ('email', 'webhook', 'chat')),
  is_digest       boolean NOT NULL,
  state           text NOT NULL DEFAULT 'waiting'
    CONSTRAINT notice_send_state_known CHECK (state IN ('waiting', 'sent', 'failed', 'dropped')),
  -- While it waits: the next attempt, or the end of the lease of the one that runs.
  due_at          timestamptz NOT NULL,
  attempts        integer NOT NULL DEFAULT 0,
  steps           integer NOT NULL DEFAULT 0,
  lease_id        uuid,
  last_error      text,
  ended_at        timestamptz
) WITH (fillfactor = 70);
CREATE INDEX notice_send_due ON notice_send (due_at) WHERE state = 'waiting';
CREATE INDEX notice_send_of_recipient ON notice_send (recipient_kind, recipient_key, channel, due_at) WHERE state = 'waiting';
CREATE UNIQUE INDEX notice_send_digest ON notice_send (recipient_kind, recipient_key, channel, due_at)
  WHERE is_digest AND state = 'waiting' AND attempts = 0;

-- Which message carries a notice through a channel.
CREATE TABLE notice_channel (
  notice_id  uuid NOT NULL REFERENCES notice,
  channel    text NOT NULL,
  send_id    uuid NOT NULL REFERENCES notice_send,
  PRIMARY KEY (notice_id, channel)
);
CREATE INDEX notice_channel_of_send ON notice_channel (send_id, notice_id);

-- What partners and suppliers have chosen. No row: the defaults. What operators chose stands in the marketplace's settings.
CREATE TABLE notice_setting (
  owner_kind  text NOT NULL CONSTRAINT notice_owner_known CHECK (owner_kind IN ('buyer', 'supplier')),
  owner_key   text NOT NULL,
  settings    jsonb NOT NULL,
  updated_at  timestamptz NOT NULL,
  PRIMARY KEY (owner_kind, owner_key)
);

-- Conditions that hold now, such as funds under their threshold: the notice about one is raised when its row is added, and the row goes when
-- the condition has clearly ended.
CREATE TABLE notice_watch (
  kind     text NOT NULL,
  subject  text NOT NULL,
  since    timestamptz NOT NULL,
  PRIMARY KEY (kind, subject)
);

ALTER TABLE marketplace ADD COLUMN notices jsonb NOT NULL DEFAULT '{}';

-- Short lock: a row per partner and supplier.
ALTER TABLE signing_secret DROP CONSTRAINT secret_owner_known,
  ADD CONSTRAINT secret_owner_known CHECK (owner_kind IN ('supplier', 'buyer', 'operator'));

ALTER TABLE notice ENABLE ROW LEVEL SECURITY;
ALTER TABLE notice FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON notice USING ((SELECT is_service()) OR (recipient_kind = 'buyer' AND recipient_key = (SELECT tenant())));
ALTER TABLE notice_send ENABLE ROW LEVEL SECURITY;
ALTER TABLE notice_send FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON notice_send USING ((SELECT is_service()) OR (recipient_kind = 'buyer' AND recipient_key = (SELECT tenant())));
ALTER TABLE notice_channel ENABLE ROW LEVEL SECURITY;
ALTER TABLE notice_channel FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON notice_channel USING ((SELECT is_service()) OR EXISTS (
  SELECT FROM notice n WHERE n.notice_id = notice_channel.notice_id AND n.recipient_kind = 'buyer' AND n.recipient_key = (SELECT tenant())));
ALTER TABLE notice_setting ENABLE ROW LEVEL SECURITY;
ALTER TABLE notice_setting FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON notice_setting USING ((SELECT is_service()) OR (owner_kind = 'buyer' AND owner_key = (SELECT tenant())));

CREATE OR REPLACE FUNCTION grant_buyer_rights() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'leadmarket_buyer') THEN RETURN; END IF;
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO leadmarket_buyer', current_schema());
  EXECUTE format('REVOKE ALL ON ALL TABLES IN SCHEMA %I FROM leadmarket_buyer', current_schema());
  GRANT SELECT ON account, attempt, audit_event, buyer, buyer_event, buyer_event_head, cap_counter, claim, claim_month_count,
    config_history, delivery, delivery_count, delivery_search, endpoint_health, endpoint_outage, entry, idempotency_key, invoice, invoice_item,
    invoice_line, marketplace, notice, notice_channel, notice_send, notice_setting, offer, person_sale, send_job, signing_secret, transfer
    TO leadmarket_buyer;
  GRANT SELECT (credential_id, kind, owner_key) ON credential TO leadmarket_buyer;
  -- All but the body as received.
  GRANT SELECT (lead_id, supplier_key, external_id, is_test, is_accepted, state, public_status, reason, score, score_factors,
    received_at, decided_at, fields, erased_at) ON lead TO leadmarket_buyer;
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
