-- Users of partners and suppliers, their roles, and their sessions (contract 7.12; decision 078).
CREATE TABLE portal_user (
  user_id         uuid PRIMARY KEY,
  kind            text NOT NULL CONSTRAINT portal_user_kind_known CHECK (kind IN ('buyer', 'supplier')),
  -- The partner's or supplier's key.
  owner_key       text NOT NULL,
  -- In lower case; with it one signs in.
  email           text NOT NULL CHECK (length(email) <= 254),
  name            text NOT NULL,
  roles           text[] NOT NULL CONSTRAINT portal_user_roles_known
                    CHECK (roles <@ ARRAY['view', 'claims', 'money', 'settings']::text[] AND 'view' = ANY (roles)),
  -- Argon2id as a PHC string.
  password        text NOT NULL CHECK (password LIKE '$argon2id$%'),
  -- Base32; null where there is no second factor.
  totp_secret     text,
  -- Base32: shown, and not confirmed by a code yet.
  totp_pending    text,
  -- The last time step whose code was taken: none counts twice.
  totp_last_step  bigint,
  created_at      timestamptz NOT NULL,
  -- The row stays for the audit log's sake; the address is free again.
  removed_at      timestamptz,
  CHECK (totp_secret IS NOT NULL OR totp_last_step IS NULL)
);
CREATE UNIQUE INDEX portal_user_by_email ON portal_user (email) WHERE removed_at IS NULL;
CREATE INDEX portal_user_of_owner ON portal_user (kind, owner_key);

-- Short lock: the table is new.
ALTER TABLE portal_user ENABLE ROW LEVEL SECURITY;
ALTER TABLE portal_user FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON portal_user USING ((SELECT is_service()) OR kind = 'buyer' AND owner_key = (SELECT tenant()));

-- A session of a user instead of a token or key. Its cookie is longer than those that the last release reads, which knows no roles.
ALTER TABLE session ADD COLUMN user_id uuid;
-- Short lock: no row is read; a session of before still fits.
ALTER TABLE session DROP CONSTRAINT session_opened_with,
  ADD CONSTRAINT session_opened_with CHECK (
    CASE kind WHEN 'operator' THEN operator_id IS NOT NULL AND credential_id IS NULL AND user_id IS NULL
              ELSE operator_id IS NULL AND (credential_id IS NULL) <> (user_id IS NULL) END) NOT VALID,
  ADD CONSTRAINT session_of_user FOREIGN KEY (user_id) REFERENCES portal_user (user_id) NOT VALID;

-- The stored responses of a partner's requests are also those of its users.
ALTER POLICY own_rows ON idempotency_key USING ((SELECT is_service())
  OR EXISTS (SELECT FROM credential c WHERE c.credential_id = idempotency_key.credential_id AND c.kind = 'buyer_token' AND c.owner_key = (SELECT tenant()))
  OR EXISTS (SELECT FROM portal_user u WHERE u.user_id = idempotency_key.credential_id AND u.kind = 'buyer' AND u.owner_key = (SELECT tenant())));

-- As before, with whose a user is.
CREATE OR REPLACE FUNCTION grant_buyer_rights() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'leadmarket_buyer') THEN RETURN; END IF;
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO leadmarket_buyer', current_schema());
  EXECUTE format('REVOKE ALL ON ALL TABLES IN SCHEMA %I FROM leadmarket_buyer', current_schema());
  GRANT SELECT ON account, attempt, audit_event, buyer, buyer_event, buyer_event_head, cap_counter, claim, claim_month_count,
    config_history, delivery, delivery_count, delivery_search, endpoint_health, endpoint_outage, entry, idempotency_key, invoice, invoice_item,
    invoice_line, list, list_entry, list_load, marketplace, notice, notice_channel, notice_send, notice_setting, offer, partner_secret, person_sale,
    receipt, send_job, signing_secret, transfer TO leadmarket_buyer;
  GRANT SELECT (credential_id, kind, owner_key) ON credential TO leadmarket_buyer;
  GRANT SELECT (user_id, kind, owner_key) ON portal_user TO leadmarket_buyer;
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
  -- Its own lists. What it removes is marked; the service deletes it.
  GRANT INSERT ON list, list_load, list_entry TO leadmarket_buyer;
  GRANT UPDATE (removed_at) ON list TO leadmarket_buyer;
  GRANT UPDATE (state, parts, entries, repeated, rejected, touched_at, ended_at) ON list_load TO leadmarket_buyer;
  GRANT UPDATE (expires_at), DELETE ON list_entry TO leadmarket_buyer;
  GRANT INSERT, UPDATE ON signing_secret TO leadmarket_buyer;
  GRANT DELETE ON endpoint_health TO leadmarket_buyer;
  GRANT UPDATE ON endpoint_outage TO leadmarket_buyer;
END $$;
SELECT grant_buyer_rights();
